import type { Traffic } from '../../domain/traffic.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store, UsageProbe } from '../../ports.ts'
import type { UsageUseCases } from '../ground/use-cases.ts'
import { createBranchUsage, slotMs } from './branch-usage.ts'
import type { UsageArchive } from './usage-archive.ts'
import { createUsageHistory } from './usage-history.ts'

export interface UsageSampling {
  readonly useCases: UsageUseCases
  /** Adds requests by environment id. */
  addTraffic(traffic: ReadonlyMap<number, Traffic>): void
  start(): void
  /** Writes what is not on disk yet. */
  stop(): Promise<void>
}

const intervalMs = 15_000
const keepMs = 2 * 3_600_000
const weekMs = 7 * 86_400_000

/** Measures the running apps at intervals, and keeps the samples of the last two hours in memory, and of a week on disk. */
export function createUsageSampling({
  store,
  archive,
  probe,
  clock,
  logger,
}: {
  store: Pick<Store, 'environments'>
  archive: UsageArchive
  probe: UsageProbe
  clock: Clock
  logger: Logger
}): UsageSampling {
  const history = createUsageHistory(keepMs)
  const branches = createBranchUsage({ store, archive })
  const stopped = new AbortController()

  async function measure(): Promise<void> {
    try {
      history.add(clock.now(), await probe.read())
      await branches.addSamples(clock.now(), history.newest())
    } catch (err) {
      if (!stopped.signal.aborted) logger.warn({ err }, 'could not measure the apps')
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await measure()
      await clock.wait(intervalMs, stopped.signal).catch(() => undefined)
    }
  }

  return {
    useCases: {
      async history(environmentId) {
        const environment = await store.environments.find(environmentId)
        if (!environment) throw new DaemonError('not-found', `no environment ${environmentId}`)
        return { environment, intervalMs, samples: history.of(environmentId) }
      },
      async week(environmentId) {
        const environment = await store.environments.find(environmentId)
        if (!environment) throw new DaemonError('not-found', `no environment ${environmentId}`)
        const { projectId, branch } = environment
        const slots = await branches.slots(projectId, branch, clock.now() - weekMs)
        return { environment, slotMs, slots }
      },
      totals: async () => branches.totals(),
      async newest(projectIds) {
        const newest = history.newest()
        return (await store.environments.listByState(['running'])).flatMap((environment) => {
          const sample = newest.get(environment.id)
          const isVisible = projectIds === null || projectIds.includes(environment.projectId)
          return sample && isVisible ? [{ environment, sample }] : []
        })
      },
    },
    addTraffic(traffic) {
      branches
        .addTraffic(clock.now(), traffic)
        .catch((err) => logger.warn({ err }, 'could not keep the requests of apps'))
    },
    start: () => void run(),
    async stop() {
      stopped.abort()
      await branches.flush().catch((err) => logger.warn({ err }, 'could not keep the use of apps'))
    },
  }
}
