import { setTimeout } from 'node:timers/promises'
import { StrataError } from '../errors.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { diskFailure, nothingChanged } from './disk-failure.ts'
import { nodeProcesses, type Owner, type Processes } from './owner.ts'
import { removeIfEmpty, tryRemove } from './remove.ts'
import { releaseLock, takeLock } from './take-lock.ts'
import { openHome, workplace } from './workplace.ts'

export interface LockOptions {
  /** How long to wait for another run, in milliseconds. */
  readonly waitMs?: number
  readonly pollMs?: number
  /** Milliseconds on a clock that only goes forward. */
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
  readonly disk?: Disk
  readonly processes?: Processes
}

/**
 * Runs `run` while no other strata run can change the project at `root`, and returns what it returns.
 * A lock whose owner is dead is taken over; a living one is waited for. The lock is given back when
 * `run` ends or throws, on process.exit and on SIGINT, SIGTERM and SIGHUP. Throws StrataError
 * 'conflict' if the other run does not end in `waitMs`, and 'failure' if no lock can be written.
 *
 * Our own, because Node has no flock, the packages that bind it compile, and those that don't
 * (lockfile, proper-lockfile 4: its issue 121) let two takers of one stale lock both win.
 */
export async function withProjectLock<T>(
  root: string,
  run: () => T | Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const { disk = nodeDisk, processes = nodeProcesses } = options
  const self = processes.self()
  await waitForLock(root, self, { ...options, disk, processes })
  const release = () => giveBack(disk, root, self)
  const forget = onProcessEnd(release)
  try {
    return await run()
  } finally {
    forget()
    release()
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
    if (now() >= deadline) throw isBusy(attempt.holder, self.host)
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
    giveBack(disk, root, self)
    throw diskFailure(error, nothingChanged)
  }
}

/** A lock that can't be removed is a dead owner's as soon as this process ends. */
function giveBack(disk: Disk, root: string, self: Owner): void {
  const { home, lock } = workplace(root)
  tryRemove(() => {
    releaseLock(disk, lock, self)
    removeIfEmpty(disk, home)
  })
}

/** Calls `release` when the process ends by itself or by a signal; returns how to call that off. */
function onProcessEnd(release: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    // Another listener means that the program goes on; then `run` gives the lock back.
    if (process.listenerCount(signal) > 1) return
    release()
    forget()
    process.kill(process.pid, signal)
  }
  const forget = () => {
    process.off('exit', release)
    for (const signal of signals) process.off(signal, onSignal)
  }
  process.on('exit', release)
  for (const signal of signals) process.on(signal, onSignal)
  return forget
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function isBusy(holder: Owner | undefined, host: string): StrataError {
  const pid = holder
    ? ` (pid ${holder.pid}${holder.host === host ? '' : ` on ${holder.host}`})`
    : ''
  const details =
    holder?.host === host ? [] : ['if no other run is alive, delete .strata/lock and run again']
  return new StrataError(
    'conflict',
    `another strata run${pid} is changing this project; try again when it is done`,
    { details },
  )
}
