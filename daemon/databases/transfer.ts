import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { maskSecrets } from '../domain/mask-secrets.ts'
import { DaemonError } from '../errors.ts'
import type { TransferOptions, Walls } from '../ports.ts'

/** A program that writes or reads a dump. `env` holds its password: other users of the host can read `args`. */
export interface TransferProgram {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** Limits of one program. A dump streams its rows, so it needs little memory. */
const limits = { memoryMb: 512, cpus: null, pids: 32 } as const

type Cells = Pick<Walls, 'cell' | 'end'>

/** Starts a program that writes a dump to its output. The stream fails if the program fails. */
export async function startDump(
  cells: Cells,
  transfer: TransferProgram,
  { projectId, signal }: TransferOptions,
): Promise<Readable> {
  const running = await start(cells, transfer, projectId, signal)
  const { child } = running
  child.stdin?.end()
  const output = new PassThrough({ highWaterMark: 2 ** 20 })
  const finish = async () => {
    if (child.stdout) await pipeline(child.stdout, output, { end: false })
    await running.succeeded()
    output.end()
  }
  finish()
    .catch((error) => output.destroy(signal.aborted ? reasonOf(signal) : error))
    .finally(running.end)
  // The reader has left: the program must not wait for it.
  output.once('close', running.end)
  return output
}

/** Runs a program that reads a dump from its input. Throws `unprocessable` with its message if it fails. */
export async function runLoad(
  cells: Cells,
  transfer: TransferProgram,
  dump: Readable,
  { projectId, signal }: TransferOptions,
): Promise<void> {
  const running = await start(cells, transfer, projectId, signal)
  const { child } = running
  child.stdout?.resume()
  try {
    // The exit explains more than the broken pipe that it causes.
    const fed = child.stdin
      ? pipeline(dump, child.stdin).then(
          () => undefined,
          (error: unknown) => error,
        )
      : undefined
    const fault = await fed
    if (fault instanceof DaemonError) throw fault
    await running.succeeded()
    if (fault !== undefined) throw fault
  } catch (error) {
    throw signal.aborted ? reasonOf(signal) : error
  } finally {
    dump.destroy()
    await running.end()
  }
}

async function start(
  cells: Cells,
  { program, args, env, secrets }: TransferProgram,
  projectId: number,
  signal: AbortSignal,
) {
  signal.throwIfAborted()
  const group = `database-${randomBytes(6).toString('hex')}`
  const cell = await cells.cell(projectId)
  const child = await cell.spawn(program, args, {
    cwd: '/',
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: cell.home ?? '/',
      LC_ALL: 'C.UTF-8',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...{ group, limits },
  })
  const said = collectTail(child)
  const exit = exitOf(child)
  const kill = () => endChild(child)
  signal.addEventListener('abort', kill, { once: true })
  child.stdin?.on('error', () => {})
  let ended: Promise<unknown> | undefined
  return {
    child,
    /** Resolves if the program ends with 0. */
    async succeeded(): Promise<void> {
      const code = await exit
      if (code === 0) return
      signal.throwIfAborted()
      const name = program.slice(program.lastIndexOf('/') + 1)
      const text = maskSecrets(said(), secrets).slice(0, 400)
      throw new DaemonError('unprocessable', `${name} failed: ${text || `exit code ${code}`}`)
    },
    end(): Promise<unknown> {
      signal.removeEventListener('abort', kill)
      kill()
      ended ??= cells.end(group).catch(() => undefined)
      return ended
    },
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error(String(reason))
}

function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  // Close, not exit: the messages are complete then.
  return new Promise((resolve) => child.once('close', (code) => resolve(code)))
}

function endChild({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}

/** Collects the first lines of the messages: the first fault causes the others. */
function collectTail({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < 4_000) text += chunk.slice(0, 4_000)
  })
  return () => text.trim().split(/\r?\n/).slice(0, 4).join(' | ')
}
