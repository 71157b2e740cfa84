import { type ChildProcess, spawn } from 'node:child_process'

export interface GroupOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** All it may take. */
  readonly timeoutMs: number
  /** The longest time without a byte of output; without it only `timeoutMs` counts. */
  readonly silenceMs?: number
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number
  readonly signal?: AbortSignal | undefined
  readonly input?: string
  readonly onOutput: (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void
}

export type GroupEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  /** `afterMs`: the limit that it went past. */
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly wasSilent: boolean }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not-started'; readonly error: Error }

/**
 * Runs a program without a shell, in a session and process group of its own (so it can ask nobody anything), and says how
 * it ended. Nothing of the group is left when this resolves: not after a limit, not after an abort, not after its end.
 */
export function runGroup(options: GroupOptions): Promise<GroupEnd> {
  const { signal, graceMs } = options
  if (signal?.aborted) return Promise.resolve({ kind: 'aborted' })
  return new Promise((resolve) => {
    const child = start(options)
    if (child instanceof Error) return resolve({ kind: 'not-started', error: child })
    let ending: GroupEnd | undefined
    let exit: GroupEnd | undefined
    const timers = new Set<NodeJS.Timeout>()
    const later = (ms: number, work: () => void) => {
      const timer = setTimeout(work, Math.min(ms, 2 ** 31 - 1))
      timers.add(timer)
      return timer
    }
    const end = (why: GroupEnd) => {
      if (ending || exit) return
      ending = why
      killGroup(child.pid, 'SIGTERM')
      later(graceMs, () => killGroup(child.pid, 'SIGKILL'))
    }
    const finish = (how: GroupEnd) => {
      for (const timer of timers) clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      resolve(ending ?? how)
    }
    const onAbort = () => end({ kind: 'aborted' })
    signal?.addEventListener('abort', onAbort, { once: true })

    later(options.timeoutMs, () =>
      end({ kind: 'timed-out', afterMs: options.timeoutMs, wasSilent: false }),
    )
    const { silenceMs } = options
    const silence =
      silenceMs === undefined
        ? undefined
        : later(silenceMs, () => end({ kind: 'timed-out', afterMs: silenceMs, wasSilent: true }))
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => {
        silence?.refresh()
        options.onOutput(chunk, name)
      })
    }
    // A program that ends early closes its input: what it thought of it is in its exit code.
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
      // What it left in its group may hold the pipes open for ever.
      killGroup(child.pid, 'SIGKILL')
      later(1000, () => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      })
    })
    child.on('close', () => finish(exit ?? { kind: 'killed', signal: 'unknown' }))
  })
}

/** Some faults, as an argument with a zero byte, are thrown; others come as an event. */
function start({ command, args, cwd, env, input }: GroupOptions): ChildProcess | Error {
  try {
    return spawn(command, [...args], {
      cwd,
      env: { ...env },
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

function killGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // ESRCH: nobody is left. EPERM: on some systems the same, when only zombies are.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
