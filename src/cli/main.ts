import { CommanderError } from 'commander'
import { clientUsage } from './client/commands/define.ts'
import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'

/** Runs one command line and sets the process's exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await createProgram(argv).parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander has printed its own message, or the help or version that was asked for.
    if (error instanceof CommanderError) process.exitCode = usageCodeOf(error)
    else process.exitCode = reportError(error)
  }
}

/** Bad usage is 2 in the generator; in the client 2 is for what does not exist (daemon-api.md, 14). */
function usageCodeOf({ code, exitCode }: CommanderError): number {
  if (exitCode === 0) return 0
  return code === clientUsage ? 1 : 2
}
