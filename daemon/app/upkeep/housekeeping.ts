import type { Builder, Clock, Logger, Logs, Store } from '../../ports.ts'
import type { Worker } from '../deploy/worker.ts'
import type { NodeHealth } from '../manage/node-health.ts'
import type { DeletedBranches } from '../requests/deleted-branches.ts'
import type { NodeData } from '../run/node-data.ts'
import type { Processes } from '../run/processes.ts'
import type { DataQuota } from './data-quota.ts'
import type { DestructionGuard } from './destruction-guard.ts'
import type { Reconciler } from './reconciler.ts'
import type { Sweep } from './sweep.ts'
import type { TrashUpkeep } from './trash-upkeep.ts'

/** Runs periodic work: repairs and sweeps in each round, slower cleanups once an hour. */
export interface Housekeeping {
  start(): void
  /** Repairs now, such as when a node has come back. Several calls at once cause one more repair. */
  repairSoon(): void
  stop(): void
}

const hourMs = 3_600_000
/** Retention of webhook delivery ids. Git hosts redeliver a webhook for a few days at most. */
const deliveryMs = 7 * 24 * hourMs
/** Retention of the logs of destroyed environments. */
const destroyedLogsMs = 24 * hourMs
/** Time before the daemon's start in which the first round looks for expired logs. */
const firstLogsMs = 30 * 24 * hourMs

export function createHousekeeping(deps: {
  store: Store
  clock: Clock
  logger: Logger
  logs: Logs
  builder: Builder
  nodeHealth: NodeHealth
  worker: Worker
  reconciler: Reconciler
  processes: Pick<Processes, 'reconcile'>
  sweep: Sweep
  dataQuota: DataQuota
  deletedBranches: DeletedBranches
  trashUpkeep: TrashUpkeep
  nodeData: Pick<NodeData, 'bringRestored'>
  guard: DestructionGuard
  intervalMs: number
}): Housekeeping {
  const { store, clock, logger, logs, builder, nodeHealth, worker, reconciler, intervalMs } = deps
  const stopped = new AbortController()
  let hourlyAt = 0
  let logsUntil = 0
  let repairing = Promise.resolve()
  let isRepairPlanned = false

  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    if (stopped.signal.aborted) return
    try {
      await work()
    } catch (err) {
      if (!stopped.signal.aborted)
        logger.error({ err, name }, 'a housekeeping task failed: the next round retries it')
    }
  }

  async function repairOnce(): Promise<void> {
    await attempt('nodes', nodeHealth.probeAll)
    await attempt('restored data', deps.nodeData.bringRestored)
    await attempt('reconcile', reconciler.run)
    await attempt('processes', deps.processes.reconcile)
    await attempt('trash', deps.trashUpkeep.settle)
  }

  /** Repairs one after the other. */
  function repair(): Promise<void> {
    repairing = repairing.then(repairOnce)
    return repairing
  }

  function repairSoon(): void {
    if (isRepairPlanned) return
    isRepairPlanned = true
    repairing = repairing.then(() => {
      isRepairPlanned = false
      return repairOnce()
    })
  }

  async function round(): Promise<void> {
    await repair()
    await attempt('sweep', deps.sweep.run)
    deps.dataQuota.signal()
    await attempt('expired trash', removeExpiredTrash)
    await attempt('leases', () => store.queue.releaseExpired(clock.now()))
    worker.signal()
    if (clock.monotonic() < hourlyAt) return
    hourlyAt = clock.monotonic() + hourMs
    await attempt('caches', () => builder.prune())
    // These go by the wall clock too.
    if (!deps.guard.isOpen()) return
    await attempt('deliveries', () => store.deliveries.forgetBefore(clock.now() - deliveryMs))
    await attempt('logs', removeOldLogs)
    await attempt('branches', () => deps.deletedBranches.run(stopped.signal))
  }

  async function removeExpiredTrash(): Promise<void> {
    if (deps.guard.isOpen()) await deps.trashUpkeep.removeExpired()
  }

  /** Finds expired logs by audit records, which contain the time an environment was destroyed. */
  async function removeOldLogs(): Promise<void> {
    const until = clock.now() - destroyedLogsMs
    const since = logsUntil === 0 ? until - firstLogsMs : logsUntil
    for (const kind of ['destroy', 'ttl_expired'] as const) {
      for (const { environmentId } of await store.audit.list({ kind, since, until, limit: 1000 })) {
        if (environmentId !== null) await logs.remove(environmentId)
      }
    }
    logsUntil = until
  }

  async function loop(): Promise<void> {
    // Skip the sweep until the gateway has reported accesses from the time without a daemon.
    await repair()
    while (!stopped.signal.aborted) {
      await clock.wait(intervalMs, stopped.signal).catch(() => undefined)
      await round()
    }
  }

  return {
    start() {
      deps.guard.start()
      hourlyAt = clock.monotonic() + hourMs
      loop().catch((err) => logger.error({ err }, 'housekeeping ended'))
    },
    repairSoon,
    stop: () => stopped.abort(),
  }
}
