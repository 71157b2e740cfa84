import { nextAttemptAt, nextEntry, positionOf } from '../../domain/queue-order.ts'
import type { QueueEntry } from '../../domain/records.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Logger } from '../ground/deps.ts'
import type { Admission } from '../run/admission.ts'
import type { Execution, Executor } from './executor.ts'
import { Interrupted, LeaseLost } from './faults.ts'
import { leaseMs } from './lease.ts'
import { createRoomLine } from './memory-queue.ts'
import type { Waiters } from './waiters.ts'

/** Takes entries from the queue as fast as it may. */
export interface Worker {
  /** Something may be to do now: an entry came, a deploy ended, memory became free. Costs nothing when not. */
  signal(): void
  roomChanged(): void
  /** The entry is another one now: what was found out of it does not hold any more. */
  replaced(entryId: number): void
  /** A deploy of the branch is going on. */
  isBusy(branch: Branch): boolean
  /** Ends the deploy of a branch, if one is going on, with `error`; resolves when it has ended. */
  abort(branch: Branch, error: Error): Promise<void>
  /** Claims no more; gives what goes on `graceMs` to end, then puts it back into the line. */
  stop(graceMs: number): Promise<void>
}

type Branch = Pick<QueueEntry, 'projectId' | 'branch'>

interface Going {
  readonly entry: QueueEntry
  readonly aborted: AbortController
  readonly work: Promise<void>
}

const putBackMs = 4_000

export function createWorker(deps: {
  store: Store
  clock: Clock
  logger: Logger
  execute: Executor
  waiters: Waiters
  admission: Admission
  concurrency: number
  /** Names this daemon on its leases. */
  owner: string
}): Worker {
  const { store, clock, logger, execute, waiters, concurrency, owner } = deps
  const going = new Map<number, Going>()
  const tails = new Set<Promise<void>>()
  const servedAt = new Map<number, number>()
  const line = createRoomLine({ store, admission: deps.admission })
  let served = 0
  let isDraining = false
  let isAskedAgain = false
  let isStopped = false
  let timer = new AbortController()

  function signal(): void {
    isAskedAgain = true
    if (isDraining) return
    isDraining = true
    drain().finally(() => {
      isDraining = false
    })
  }

  async function drain(): Promise<void> {
    while (isAskedAgain && !isStopped) {
      isAskedAgain = false
      try {
        await claimAll()
      } catch (err) {
        logger.error({ err }, 'the queue could not be read; it is tried again')
        wakeUpAt(clock.now() + 1000)
      }
    }
  }

  async function claimAll(): Promise<void> {
    const lost = new Set<number>()
    while (going.size < concurrency && !isStopped) {
      await line.refresh()
      const entries = await store.queue.list()
      const now = clock.now()
      const blocked = new Set([...line.blocked(), ...lost])
      const entry = nextEntry({ entries, now, blocked, servedAt })
      if (!entry) {
        const at = nextAttemptAt(entries, now)
        if (at !== undefined) wakeUpAt(at)
        return
      }
      const claimed = await store.queue.claim(entry.id, { owner, until: now + leaseMs })
      if (claimed) begin(claimed)
      else lost.add(entry.id)
    }
  }

  function wakeUpAt(at: number): void {
    timer.abort()
    timer = new AbortController()
    clock.wait(Math.max(1, at - clock.now()), timer.signal).then(signal, () => undefined)
  }

  function begin(entry: QueueEntry): void {
    served += 1
    servedAt.set(entry.projectId, served)
    const aborted = new AbortController()
    const work = run(entry, aborted).finally(() => {
      going.delete(entry.id)
      signal()
    })
    going.set(entry.id, { entry, aborted, work })
  }

  async function run(entry: QueueEntry, aborted: AbortController): Promise<void> {
    const done = new AbortController()
    keepLease(entry, aborted, done.signal)
    try {
      const aheadMb = () => line.aheadMb(entry.id)
      await conclude(entry, await execute(entry, { owner, signal: aborted.signal, aheadMb }))
    } catch (err) {
      logger.error({ err, entryId: entry.id }, 'a deploy could not be concluded')
      waiters.fail(entry.id, err)
    } finally {
      done.abort()
    }
  }

  async function conclude(entry: QueueEntry, execution: Execution): Promise<void> {
    const { id } = entry
    if (execution.kind !== 'blocked') line.leave(id)
    switch (execution.kind) {
      case 'running': {
        const { environment, durationMs } = execution
        waiters.settle(id, { kind: 'running', environment, durationMs })
        clearLater(execution.tail)
        return
      }
      case 'failed': {
        const { error, environmentId } = execution
        if (error.kind === 'internal') logger.error({ err: error, entryId: id }, 'a deploy failed')
        return waiters.settle(id, { kind: 'failed', reason: error.message, environmentId })
      }
      case 'refused':
        await store.queue.remove(id)
        return waiters.fail(id, execution.error)
      case 'blocked':
        line.join(entry, execution.memoryMb)
        return afterRelease(entry, true)
      case 'released':
        return afterRelease(entry, execution.why === 'interrupted')
      case 'lost':
        logger.warn({ entryId: id }, 'the lease of a deploy was lost: another daemon has it')
        return waiters.settle(id, { kind: 'queued', position: 0 })
    }
  }

  /** Who waits gets what a newer entry comes to, if one took the place; and is not kept when nobody knows how long. */
  async function afterRelease(entry: QueueEntry, isOpenEnded: boolean): Promise<void> {
    const entries = await store.queue.list()
    const isSame = (one: QueueEntry) =>
      one.state === 'waiting' && one.projectId === entry.projectId && one.branch === entry.branch
    const successor = entries.find(isSame)
    if (successor && successor.id !== entry.id) {
      line.leave(entry.id)
      return waiters.move(entry.id, successor.id)
    }
    if (!isOpenEnded) return
    waiters.settle(entry.id, { kind: 'queued', position: positionOf(entries, entry.id) })
  }

  function clearLater(tail: () => Promise<void>): void {
    const work = tail()
      .catch((err) => logger.error({ err }, 'what a deploy left could not be cleared away yet'))
      .finally(() => tails.delete(work))
    tails.add(work)
  }

  async function keepLease(entry: QueueEntry, aborted: AbortController, done: AbortSignal) {
    while (!done.aborted) {
      const isOver = await clock.wait(leaseMs / 3, done).then(
        () => false,
        () => true,
      )
      if (isOver) return
      const lease = { owner, until: clock.now() + leaseMs }
      const isHeld = await store.queue.renew(entry.id, lease).catch((err) => {
        logger.error({ err, entryId: entry.id }, 'a lease could not be renewed; it is tried again')
        return true
      })
      if (!isHeld && !done.aborted) aborted.abort(new LeaseLost('the lease of the deploy was lost'))
    }
  }

  async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
    const done = new AbortController()
    await Promise.race([work, clock.wait(ms, done.signal).catch(() => undefined)])
    done.abort()
  }

  const find = ({ projectId, branch }: Branch) =>
    [...going.values()].find(
      ({ entry }) => entry.projectId === projectId && entry.branch === branch,
    )

  return {
    signal,
    roomChanged() {
      if (line.changed()) signal()
    },
    replaced: (entryId) => line.leave(entryId),
    isBusy: (branch) => find(branch) !== undefined,
    async abort(branch, error) {
      const one = find(branch)
      one?.aborted.abort(error)
      await one?.work
    },
    async stop(graceMs) {
      isStopped = true
      timer.abort()
      const works = () => Promise.allSettled([...going.values()].map(({ work }) => work))
      await withinMs(Promise.allSettled([works(), ...tails]), graceMs)
      for (const { aborted } of going.values()) aborted.abort(new Interrupted())
      // What can't be put back in time is found by the next start.
      await withinMs(works(), putBackMs)
    },
  }
}
