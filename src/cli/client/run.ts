import { Interrupted } from './client-error.ts'
import { reportClientError } from './report.ts'
import { type CommonOptions, chooseContext, openSession, type Session } from './session.ts'
import { createOutput, type Output } from './terminal/output.ts'

export interface Surroundings {
  readonly output: Output
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Says what goes on after Ctrl-C. */
  onInterrupt(note: () => readonly string[]): void
}

/** Runs a command that talks to a daemon; sets the exit code of the process and says on stderr what went wrong. */
export function runWithDaemon(
  options: CommonOptions,
  work: (session: Session, surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  return runClient(options, async (surroundings) =>
    work(openSession(options, surroundings), surroundings),
  )
}

/** The same for commands that may need none. */
export async function runClient(
  options: CommonOptions,
  work: (surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const output = createOutput(options.json ?? false)
  const controller = new AbortController()
  let note: () => readonly string[] = () => []
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(interruptedCode)
    output.note(...note())
    controller.abort(new Interrupted())
    // What does not listen to the signal is not waited for.
    setTimeout(() => process.exit(interruptedCode), 500).unref()
  }
  process.on('SIGINT', interrupt)
  process.stdout.on('error', endQuietly)
  try {
    const onInterrupt = (say: () => readonly string[]) => {
      note = say
    }
    await work({ output, signal: controller.signal, onInterrupt })
    if (controller.signal.aborted) process.exitCode = interruptedCode
  } catch (error) {
    process.exitCode = controller.signal.aborted
      ? interruptedCode
      : reportClientError(error, output, () => addressOf(options))
  } finally {
    process.off('SIGINT', interrupt)
  }
}

const interruptedCode = 130

/** Who read our output, as `head` does, has enough of it. */
function endQuietly(error: Error): void {
  process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1)
}

function addressOf(options: CommonOptions): { name: string; url: string } | undefined {
  try {
    const { name, context } = chooseContext(options)
    return { name, url: context.url }
  } catch {
    return undefined
  }
}
