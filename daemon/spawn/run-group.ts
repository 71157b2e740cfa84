import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Cell, GroupLimits } from '../ports.ts'

export interface GroupOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Maximum run time. */
  readonly timeoutMs: number
  /** Maximum time without output. If undefined, only `timeoutMs` applies. */
  readonly silenceMs?: number
  /** Time from SIGTERM to SIGKILL. */
  readonly graceMs: number
  readonly signal?: AbortSignal | undefined
  readonly input?: string
  /** Runs the program in a project's cell, as the project's user. Ends the control group after the program. */
  readonly within?: { readonly cell: Cell; readonly group: string; readonly limits: GroupLimits }
  readonly onOutput: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

export type GroupEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'out-of-memory'; readonly limitMb: number }
  /** `afterMs` is the limit that was exceeded. */
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly wasSilent: boolean }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly error: Error }

/**
 * Runs a program without a shell, in a new session, so that the program has no terminal for prompts. Resolves with the
 * way the program ended. The whole process group is killed before, even after a normal exit.
 */
export async function runGroup(options: GroupOptions): Promise<GroupEnd> {
  const { signal, within } = options
  if (signal?.aborted) return { kind: 'aborted' }
  // Without a cell nothing is awaited: an error event could arrive before its listener.
  const child = within ? await startWithin(within, options) : start(options)
  if (child instanceof Error) return { kind: 'not-started', error: child }
  const end = await awaitEnd(child, options)
  if (!within) return end
  const { outOfMemoryMb } = await within.cell.end(within.group)
  const isFailure = end.kind === 'killed' || (end.kind === 'exited' && end.code !== 0)
  return isFailure && outOfMemoryMb !== null
    ? { kind: 'out-of-memory', limitMb: outOfMemoryMb }
    : end
}

function awaitEnd(child: ChildProcess, options: GroupOptions): Promise<GroupEnd> {
  const { signal, graceMs } = options
  return new Promise((resolve) => {
    let ending: GroupEnd | undefined
    let exit: GroupEnd | undefined
    const timers = new Set<NodeJS.Timeout>()
    const schedule = (ms: number, work: () => void) => {
      const timer = setTimeout(work, Math.min(ms, 2 ** 31 - 1))
      timers.add(timer)
      return timer
    }
    const terminate = (reason: GroupEnd) => {
      if (ending || exit) return
      ending = reason
      killGroup(child.pid, 'SIGTERM')
      schedule(graceMs, () => killGroup(child.pid, 'SIGKILL'))
    }
    const finish = (result: GroupEnd) => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(ending ?? result)
    }
    const onAbort = () => terminate({ kind: 'aborted' })
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()

    schedule(options.timeoutMs, () =>
      terminate({ kind: 'timed-out', afterMs: options.timeoutMs, wasSilent: false }),
    )
    const { silenceMs } = options
    const silenceTimer =
      silenceMs === undefined
        ? undefined
        : schedule(silenceMs, () =>
            terminate({ kind: 'timed-out', afterMs: silenceMs, wasSilent: true }),
          )
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        silenceTimer?.refresh()
        options.onOutput(chunk, name)
      })
    }
    // Ignore EPIPE: the program exited without reading its input, and its exit code is the result.
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input)

    child.on('error', (error) => {
      if (child.pid === undefined) finish({ kind: 'not-started', error })
    })
    child.on('exit', (code, killedBy) => {
      exit =
        killedBy === null
          ? { kind: 'exited', code: code ?? -1 }
          : { kind: 'killed', signal: killedBy }
      // A surviving child process could keep the pipes open forever.
      killGroup(child.pid, 'SIGKILL')
      schedule(1000, () => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      })
    })
    child.on('close', () => finish(exit ?? { kind: 'killed', signal: 'unknown' }))
  })
}

/** Returns the error if `spawn` throws, for example for an argument with a NUL. Other errors arrive as an event. */
function start({ command, args, cwd, env, input }: GroupOptions): ChildProcess | Error {
  try {
    const stdio = stdioOf(input)
    return spawn(command, [...args], { cwd, env: { ...env }, detached: true, stdio })
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

async function startWithin(
  { cell, group, limits }: NonNullable<GroupOptions['within']>,
  { command, args, cwd, env, input }: GroupOptions,
): Promise<ChildProcess | Error> {
  try {
    return await cell.spawn(command, args, { cwd, env, stdio: stdioOf(input), group, limits })
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function stdioOf(input: string | undefined): StdioOptions {
  return [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']
}

function killGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // ESRCH: the group is empty. EPERM: on some systems, the group has only zombies.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
