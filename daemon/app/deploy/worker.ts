import { withDeadline } from '../../async/with-deadline.ts'
import { nextAttemptAt, nextEntry } from '../../domain/queue-order.ts'
import type { QueueEntry } from '../../domain/records.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import type { Admission } from '../run/admission.ts'
import { createConclude } from './conclude.ts'
import { createDeployShares, type DeployPlace } from './deploy-shares.ts'
import type { Executor } from './executor.ts'
import { Interrupted } from './faults.ts'
import { keepLease, leaseMs } from './lease.ts'
import { createMemoryQueue } from './memory-queue.ts'
import { createQueueTrigger } from './queue-trigger.ts'
import type { Waiters } from './waiters.ts'

/** Leases queued deploys. At most `concurrency` of them build in parallel; each project has a share. */
export interface Worker {
  /** Schedules a check of the queue. Call after a deploy was queued or ended, or memory was freed. Cheap. */
  signal(): void
  memoryFreed(): void
  /** Call when a newer request has replaced a waiting deploy: its recorded memory need is stale. */
  forgetMemoryNeed(entryId: number): void
  isDeploying(branch: Branch): boolean
  /** Aborts the running deploy of a branch with `error`, if any. Resolves when the deploy has ended. */
  abort(branch: Branch, error: Error): Promise<void>
  /** Stops leasing deploys. Requeues running deploys after `graceMs` milliseconds. */
  stop(graceMs: number): Promise<void>
}

type Branch = Pick<QueueEntry, 'projectId' | 'branch'>

interface RunningDeploy {
  readonly entry: QueueEntry
  readonly abort: AbortController
  readonly work: Promise<void>
}

/** Time limit for requeuing interrupted deploys. The next daemon requeues the rest. */
const requeueMs = 4_000

export function createWorker(deps: {
  store: Store
  clock: Clock
  logger: Logger
  execute: Executor
  waiters: Waiters
  admission: Admission
  /** Called when a deploy has ended, before its callers know. */
  settle: (entry: QueueEntry, isOk: boolean) => Promise<void>
  concurrency: number
  /** Id of this daemon in its leases. */
  owner: string
}): Worker {
  const { store, clock, logger, execute, waiters, concurrency, owner } = deps
  const running = new Map<number, RunningDeploy>()
  const cleanUps = new Set<Promise<void>>()
  /** Sequence number of each project's latest lease, for fair scheduling between projects. */
  const servedAt = new Map<number, number>()
  const memoryQueue = createMemoryQueue({ store, admission: deps.admission })
  const conclude = createConclude({
    ...{ store, logger, waiters, memoryQueue },
    settle: deps.settle,
  })
  const trigger = createQueueTrigger({ clock, logger, work: claimAll })
  const shares = createDeployShares(concurrency, trigger.signal)
  let claims = 0
  let isStopped = false

  async function claimAll(): Promise<void> {
    const lost = new Set<number>()
    while (!shares.isFull() && !isStopped) {
      await memoryQueue.refresh()
      const entries = await store.queue.list()
      const now = clock.now()
      const blocked = new Set([...memoryQueue.blocked(), ...lost])
      const full = shares.fullProjects(await store.projects.hasSeveral())
      const entry = nextEntry({ entries, now, blocked, full, servedAt })
      if (!entry) {
        const at = nextAttemptAt(entries, now)
        if (at !== undefined) trigger.signalAt(at)
        return
      }
      const claimed = await store.queue.claim(entry.id, { owner, until: now + leaseMs })
      if (claimed) begin(claimed)
      else lost.add(entry.id)
    }
  }

  function begin(entry: QueueEntry): void {
    claims += 1
    servedAt.set(entry.projectId, claims)
    const abort = new AbortController()
    const place = shares.begin(entry.projectId)
    const work = run(entry, abort, place).finally(() => {
      running.delete(entry.id)
      place.end()
    })
    running.set(entry.id, { entry, abort, work })
  }

  async function run(entry: QueueEntry, abort: AbortController, place: DeployPlace): Promise<void> {
    const done = new AbortController()
    keepLease({ store, clock, logger }, { entry, owner }, { deploy: abort, done: done.signal })
    try {
      const execution = await execute(entry, {
        owner,
        signal: abort.signal,
        aheadMb: () => memoryQueue.aheadMb(entry),
        admitted: () => memoryQueue.admitted(entry),
        leaveSlot: place.leaveSlot,
      })
      await conclude(entry, execution)
      if (execution.kind === 'running') cleanUpLater(execution.cleanUp)
    } catch (err) {
      logger.error({ err, entryId: entry.id }, 'could not conclude a deploy')
      waiters.fail(entry.id, err)
    } finally {
      done.abort()
    }
  }

  function cleanUpLater(cleanUp: () => Promise<void>): void {
    const work = cleanUp()
      .catch((err) => logger.error({ err }, 'could not clean up after a deploy'))
      .finally(() => cleanUps.delete(work))
    cleanUps.add(work)
  }

  const find = ({ projectId, branch }: Branch) =>
    [...running.values()].find(
      ({ entry }) => entry.projectId === projectId && entry.branch === branch,
    )

  return {
    signal: trigger.signal,
    memoryFreed() {
      if (memoryQueue.invalidate()) trigger.signal()
    },
    forgetMemoryNeed: (entryId) => memoryQueue.remove(entryId),
    isDeploying: (branch) => find(branch) !== undefined,
    async abort(branch, error) {
      const deploy = find(branch)
      deploy?.abort.abort(error)
      await deploy?.work
    },
    async stop(graceMs) {
      isStopped = true
      trigger.stop()
      const deploys = () => Promise.allSettled([...running.values()].map(({ work }) => work))
      const all = Promise.allSettled([deploys(), ...cleanUps])
      await withDeadline(all, { clock, ms: graceMs })
      for (const { abort } of running.values()) abort.abort(new Interrupted())
      await withDeadline(deploys(), { clock, ms: requeueMs })
    },
  }
}
