import { setTimeout } from 'node:timers/promises'
import { StrataError } from '../errors.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { diskFailure, nothingChanged } from './disk-failure.ts'
import { nodeProcesses, type Owner, type Processes } from './owner.ts'
import { removeIfEmpty, tryRemove } from './remove.ts'
import { removeLock, takeLock } from './take-lock.ts'
import { openHome, temporaryPaths } from './temporary-paths.ts'

export interface LockOptions {
  /** Maximum wait for another run, in milliseconds. */
  readonly waitMs?: number
  readonly pollMs?: number
  /** Returns the milliseconds of a monotonic clock. */
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
  readonly disk?: Disk
  readonly processes?: Processes
}

/**
 * Runs `run` under the lock of the project at `root` and returns its result. Takes over the lock of a dead
 * owner and waits for a living one. Releases the lock when `run` ends or throws, on process.exit and on
 * SIGINT, SIGTERM and SIGHUP. Throws StrataError 'conflict' if the other run does not end within `waitMs`,
 * and 'failure' if the lock can't be written. Not reentrant: a nested call waits for `waitMs` and fails.
 *
 * Node has no flock, and packages with flock need a compiler. Packages without it (lockfile,
 * proper-lockfile 4, issue 121) let two processes take over one stale lock.
 */
export async function withProjectLock<T>(
  root: string,
  run: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const { disk = nodeDisk, processes = nodeProcesses } = options
  const self = processes.self()
  await waitForLock(root, self, { ...options, disk, processes })
  const releaseLock = () => release(disk, root, self)
  const removeListeners = onProcessEnd(releaseLock)
  try {
    return await run()
  } finally {
    removeListeners()
    releaseLock()
  }
}

async function waitForLock(
  root: string,
  self: Owner,
  options: LockOptions & { disk: Disk; processes: Processes },
): Promise<void> {
  const {
    waitMs = 10_000,
    pollMs = 25,
    now = () => performance.now(),
    sleep = setTimeout,
  } = options
  const deadline = now() + waitMs
  for (;;) {
    const attempt = attemptLock(root, self, options)
    if (attempt.kind === 'taken') return
    if (now() >= deadline) throw busyError(attempt.holder, self.host)
    await sleep(pollMs)
  }
}

function attemptLock(
  root: string,
  self: Owner,
  { disk, processes }: { disk: Disk; processes: Processes },
) {
  try {
    return takeLock(disk, openHome(disk, root).lock, self, processes)
  } catch (error) {
    release(disk, root, self)
    throw diskFailure(error, nothingChanged)
  }
}

/** Releases the lock. Ignores errors: after the end of this process, the next run takes the lock over. */
function release(disk: Disk, root: string, self: Owner): void {
  const { home, lock } = temporaryPaths(root)
  tryRemove(() => {
    removeLock(disk, lock, self)
    removeIfEmpty(disk, home)
  })
}

/** Calls `releaseLock` when the process exits or receives a signal. Returns a function that stops this. */
function onProcessEnd(releaseLock: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    // If another listener keeps the process alive, the end of `run` releases the lock.
    if (process.listenerCount(signal) > 1) return
    releaseLock()
    removeListeners()
    process.kill(process.pid, signal)
  }
  const removeListeners = () => {
    process.off('exit', releaseLock)
    for (const signal of signals) process.off(signal, onSignal)
  }
  process.on('exit', releaseLock)
  for (const signal of signals) process.on(signal, onSignal)
  return removeListeners
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function busyError(holder: Owner | undefined, host: string): StrataError {
  const pid = holder
    ? ` (pid ${holder.pid}${holder.host === host ? '' : ` on ${holder.host}`})`
    : ''
  const details =
    holder?.host === host ? [] : ['if no other run is active, delete .strata/lock and run again']
  return new StrataError(
    'conflict',
    `another strata run${pid} is changing this project; try again when it is done`,
    { details },
  )
}
