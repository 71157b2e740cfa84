import { maskSecrets } from '../domain/mask-secrets.ts'
import { DaemonError } from '../errors.ts'
import type { Cell, GroupLimits, OutputSink } from '../ports.ts'
import { runGroup } from '../spawn/run-group.ts'
import type { Variables } from './command-variables.ts'
import { failureLine, isTemporaryFailure } from './failure-line.ts'

export interface Command {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Variables
  readonly output: OutputSink
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly cell: Cell
  /** Name of the group of the command's processes, which no other running command may have. */
  readonly group: string
  readonly limits: GroupLimits
  /** Values that messages must not contain. */
  readonly secrets: readonly string[]
  /** True if the command uses the network, so that a network failure is `transient`. */
  readonly isRemote?: boolean
}

/** Characters of output that are searched for the cause of a failure. */
const maxTail = 32_768

/**
 * Runs one build command in the project's cell and kills all processes it leaves, also detached ones. Throws DaemonError `unprocessable` or `transient` with the
 * command, its exit code and the line that names the failure; throws the reason of `signal` if aborted.
 */
export async function runCommand(command: Command): Promise<void> {
  const { argv, output, signal, timeoutMs, cell, group, limits, cwd, env } = command
  const [program = '', ...args] = argv
  const mask = (text: string) => maskSecrets(text, command.secrets)
  const shown = mask(argv.join(' ')).slice(0, 200)
  printLine(output, `$ ${shown}`)
  let tail = ''
  const end = await runGroup({
    command: program,
    args,
    cwd,
    env,
    within: { cell, group, limits },
    timeoutMs,
    graceMs: 2000,
    signal,
    onOutput: (chunk, stream) => {
      tail += Buffer.from(chunk).toString('utf8')
      // Drops whole lines: the rest of a cut line could be the end of a secret, which no mask finds.
      if (tail.length > maxTail) tail = tail.slice(-maxTail).replace(/^[^\n]*\n?/, '')
      output(chunk, stream)
    },
  })
  signal.throwIfAborted()
  if (end.kind === 'exited' && end.code === 0) return
  if (end.kind === 'out-of-memory' || heapIsFull.test(tail)) {
    throw new DaemonError('unprocessable', `\`${shown}\` ${outOfMemory(limits)}`)
  }
  const line = failureLine(tail, mask)
  const detail = line === undefined ? '' : `: ${line}`
  const kind = command.isRemote && isTemporaryFailure(tail) ? 'transient' : 'unprocessable'
  throw new DaemonError(kind, `\`${shown}\` ${describeEnd(end, timeoutMs)}${detail}`)
}

/** Matches the last words of a Node process whose heap reached its limit, which Node derives from the group's limit. */
const heapIsFull = /JavaScript heap out of memory/

function outOfMemory({ memoryMb }: GroupLimits): string {
  return `ran out of memory: a build may use ${memoryMb} MiB (SERVICE_BUILD_MEMORY_MB)`
}

/** Adds a message of the daemon to the output of a build. */
export function printLine(output: OutputSink, line: string): void {
  output(new TextEncoder().encode(`${line}\n`), 'stdout')
}

/** Returns a sink that drops output above `maxBytes` and adds a line that reports the loss. */
export function boundedSink(output: OutputSink, maxBytes: number): OutputSink {
  let left = maxBytes
  return (chunk, stream) => {
    if (left <= 0) return
    output(chunk.byteLength <= left ? chunk : chunk.subarray(0, left), stream)
    left -= chunk.byteLength
    if (left <= 0) printLine(output, `\n[output past ${maxBytes} bytes was dropped]`)
  }
}

function describeEnd(end: Awaited<ReturnType<typeof runGroup>>, timeoutMs: number): string {
  switch (end.kind) {
    case 'exited':
      return `failed with exit code ${end.code}`
    case 'killed':
      return end.signal === 'SIGKILL'
        ? 'was killed (SIGKILL), possibly because memory ran out'
        : `was killed (${end.signal})`
    case 'out-of-memory':
      return `ran out of memory: limit ${end.limitMb} MB`
    case 'timed-out':
      return `took longer than ${Math.ceil(timeoutMs / 1000)} s and was stopped`
    case 'not-started':
      return (end.error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'could not be started: there is no such program'
        : `could not be started: ${end.error.message}`
    case 'aborted':
      return 'was stopped'
  }
}
