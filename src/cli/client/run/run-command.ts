import { setMaxListeners } from 'node:events'
import {
  type CommonOptions,
  chooseContext,
  openSession,
  type Session,
} from '../connection/session.ts'
import { Interrupted } from '../errors/client-error.ts'
import { createOutput, type Output } from '../terminal/output.ts'
import { reportClientError } from './report-error.ts'

/** One run of a client command. */
export interface Invocation {
  readonly output: Output
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Registers the lines to print on Ctrl-C, for example that a deploy continues. */
  onInterrupt(note: () => readonly string[]): void
}

/** Runs a command that talks to a daemon. Reports errors on stderr and sets the exit code of the process. */
export function runWithDaemon(
  options: CommonOptions,
  work: (session: Session, invocation: Invocation) => Promise<void>,
): Promise<void> {
  return runClient(options, async (invocation) =>
    work(openSession(options, invocation), invocation),
  )
}

/** Runs a command like `runWithDaemon`, but without a configured daemon. */
export async function runClient(
  options: CommonOptions,
  work: (invocation: Invocation) => Promise<void>,
): Promise<void> {
  const output = createOutput(options.json ?? false)
  const controller = new AbortController()
  // Every open request listens to the signal. Node warns of a leak from 11 listeners on.
  setMaxListeners(0, controller.signal)
  let interruptNote: () => readonly string[] = () => []
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(interruptedExitCode)
    output.note(...interruptNote())
    controller.abort(new Interrupted())
    // Limit the time until exit: some work may ignore the signal.
    setTimeout(() => process.exit(interruptedExitCode), 500).unref()
  }
  process.on('SIGINT', interrupt)
  process.stdout.on('error', exitOnClosedPipe)
  try {
    const onInterrupt = (note: () => readonly string[]) => {
      interruptNote = note
    }
    await work({ output, signal: controller.signal, onInterrupt })
    if (controller.signal.aborted) process.exitCode = interruptedExitCode
  } catch (error) {
    process.exitCode = controller.signal.aborted
      ? interruptedExitCode
      : reportClientError(error, output, () => findDaemonAddress(options))
  } finally {
    process.off('SIGINT', interrupt)
  }
}

const interruptedExitCode = 130

/** Treat a closed stdout as success: a reader such as `head` may close it early. */
function exitOnClosedPipe(error: Error): void {
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1)
}

function findDaemonAddress(options: CommonOptions): { name: string; url: string } | undefined {
  try {
    const { name, context } = chooseContext(options)
    return { name, url: context.url }
  } catch {
    return undefined
  }
}
