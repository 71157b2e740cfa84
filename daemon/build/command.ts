import { DaemonError } from '../errors.ts'
import type { OutputSink } from '../ports.ts'
import { runGroup } from '../spawn/run-group.ts'
import type { Variables } from './environment.ts'
import { isPassing, meaningfulLine } from './failure-line.ts'

export interface Command {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Variables
  readonly output: OutputSink
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Values that must not be in a message. */
  readonly secrets: readonly string[]
  /** Faults of the network are worth another try: an install. */
  readonly isRemote?: boolean
}

/**
 * Runs one command of a build to its end; nothing of it is left running. Throws DaemonError `unprocessable` (or `transient`)
 * with the command, its exit code and its last meaningful line; the signal's reason when it was aborted.
 */
export async function runCommand(command: Command): Promise<void> {
  const { argv, output, signal, timeoutMs } = command
  const [program = '', ...args] = argv
  const shown = scrub(argv.join(' '), command.secrets).slice(0, 200)
  say(output, `$ ${shown}\n`)
  let tail = ''
  const end = await runGroup({
    command: program,
    args,
    cwd: command.cwd,
    env: command.env,
    timeoutMs,
    graceMs: 2000,
    signal,
    onOutput: (chunk, stream) => {
      tail = (tail + Buffer.from(chunk).toString('utf8')).slice(-32_768)
      output(chunk, stream)
    },
  })
  signal.throwIfAborted()
  if (end.kind === 'exited' && end.code === 0) return
  const line = meaningfulLine(tail)
  const detail = line === undefined ? '' : `: ${scrub(line, command.secrets)}`
  const kind = command.isRemote && isPassing(tail) ? 'transient' : 'unprocessable'
  throw new DaemonError(kind, `\`${shown}\` ${whatHappened(end, timeoutMs)}${detail}`)
}

/** A line of the daemon's own in the output of a build. */
export function say(output: OutputSink, text: string): void {
  output(new TextEncoder().encode(text), 'stdout')
}

/** Passes on a certain number of bytes, and says that there was more. */
export function boundedSink(output: OutputSink, maxBytes: number): OutputSink {
  let left = maxBytes
  return (chunk, stream) => {
    if (left <= 0) return
    output(chunk.byteLength <= left ? chunk : chunk.subarray(0, left), stream)
    left -= chunk.byteLength
    if (left <= 0) say(output, `\n[the output past ${maxBytes} bytes is left out]\n`)
  }
}

function whatHappened(end: Awaited<ReturnType<typeof runGroup>>, timeoutMs: number): string {
  switch (end.kind) {
    case 'exited':
      return `failed with exit code ${end.code}`
    case 'killed':
      return end.signal === 'SIGKILL'
        ? 'was killed (SIGKILL), as when memory runs out'
        : `was killed (${end.signal})`
    case 'timed-out':
      return `took longer than ${Math.ceil(timeoutMs / 1000)} s and was ended`
    case 'not-started':
      return (end.error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'could not be started: there is no such program'
        : `could not be started: ${end.error.message}`
    case 'aborted':
      return 'was ended'
  }
}

function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 6)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}
