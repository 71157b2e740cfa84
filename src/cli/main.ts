import { CommanderError } from 'commander'
import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'

/** Runs one command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander has printed its own message, or the help or version that was asked for.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else process.exitCode = reportError(error)
  }
}
