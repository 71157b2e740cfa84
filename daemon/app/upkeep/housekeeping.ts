import type { Builder, Clock, Logs, Store } from '../../ports.ts'
import type { Worker } from '../deploy/worker.ts'
import type { Logger } from '../ground/deps.ts'
import type { Nodes } from '../manage/nodes.ts'
import type { Upstream } from '../requests/deleted-branches.ts'
import type { Reconciler } from './reconciler.ts'
import type { Sweep } from './sweep.ts'

/** What is done again and again: each round of repairs and sweeps, and now and then what is seldom due. */
export interface Housekeeping {
  start(): void
  stop(): void
}

const hourMs = 3_600_000
/** Deliveries are sent again within days, not weeks. */
const deliveryMs = 7 * 24 * hourMs
/** Logs of what was destroyed are there for a day. */
const goneLogsMs = 24 * hourMs
/** How far back the first round looks for logs that are due. */
const firstLookMs = 30 * 24 * hourMs

export function createHousekeeping(deps: {
  store: Store
  clock: Clock
  logger: Logger
  logs: Logs
  builder: Builder
  nodes: Nodes
  worker: Worker
  reconciler: Reconciler
  sweep: Sweep
  upstream: Upstream
  everyMs: number
}): Housekeeping {
  const { store, clock, logger, logs, builder, nodes, worker, reconciler, everyMs } = deps
  const stopping = new AbortController()
  let hourlyAt = 0
  let logsUntil = 0

  async function attempt(name: string, work: () => Promise<unknown>): Promise<void> {
    if (stopping.signal.aborted) return
    try {
      await work()
    } catch (err) {
      if (!stopping.signal.aborted)
        logger.error({ err, name }, 'housekeeping could not do this yet')
    }
  }

  async function repair(): Promise<void> {
    await attempt('nodes', nodes.probeAll)
    await attempt('reconcile', reconciler.run)
  }

  async function round(): Promise<void> {
    await repair()
    await attempt('sweep', deps.sweep.run)
    await attempt('leases', () => store.queue.releaseExpired(clock.now()))
    worker.signal()
    if (clock.now() < hourlyAt) return
    hourlyAt = clock.now() + hourMs
    await attempt('deliveries', () => store.deliveries.forgetBefore(clock.now() - deliveryMs))
    await attempt('caches', () => builder.prune())
    await attempt('logs', forgetLogs)
    await attempt('branches', () => deps.upstream.run(stopping.signal))
  }

  /** By the audit, which knows when an environment went. */
  async function forgetLogs(): Promise<void> {
    const until = clock.now() - goneLogsMs
    const since = logsUntil === 0 ? until - firstLookMs : logsUntil
    for (const kind of ['destroy', 'ttl_expired'] as const) {
      for (const { environmentId } of await store.audit.list({ kind, since, until, limit: 1000 })) {
        if (environmentId !== null) await logs.remove(environmentId)
      }
    }
    logsUntil = until
  }

  async function loop(): Promise<void> {
    // No sweep yet: the gateway has still to tell what was used while no daemon was there.
    await repair()
    while (!stopping.signal.aborted) {
      await clock.wait(everyMs, stopping.signal).catch(() => undefined)
      await round()
    }
  }

  return {
    start() {
      hourlyAt = clock.now() + hourMs
      loop().catch((err) => logger.error({ err }, 'housekeeping ended'))
    },
    stop: () => stopping.abort(),
  }
}
