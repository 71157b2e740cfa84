import { CommanderError } from 'commander'
import { clientUsageCode } from './client/definitions/define.ts'
import { createProgram } from './program.ts'
import { reportError } from './report-error.ts'

/** Entry point: runs one command line and sets the exit code of the process. */
export async function main(argv: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  try {
    await createProgram(argv).parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander has already printed its error message, the help or the version.
    if (error instanceof CommanderError) process.exitCode = exitCodeOf(error)
    else process.exitCode = reportError(error)
  }
}

/**
 * A reader such as `head` may close the pipe early. The command then finishes its work without output: `strata init`
 * must not leave half a project. Client commands exit instead, see run-command.ts.
 */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** A usage error exits with 2 in generator commands, and with 1 in client commands, in which 2 means `not found`. */
function exitCodeOf({ code, exitCode }: CommanderError): number {
  if (exitCode === 0) return 0
  return code === clientUsageCode ? 1 : 2
}
