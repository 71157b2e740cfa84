import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store, UsageProbe } from '../../ports.ts'
import type { UsageUseCases } from '../ground/use-cases.ts'
import { createUsageHistory } from './usage-history.ts'

export interface UsageSampling {
  readonly useCases: UsageUseCases
  start(): void
  stop(): void
}

const intervalMs = 15_000
const keepMs = 2 * 3_600_000

/** Measures the running apps at intervals, and keeps the samples of the last two hours in memory. */
export function createUsageSampling({
  store,
  probe,
  clock,
  logger,
}: {
  store: Pick<Store, 'environments'>
  probe: UsageProbe
  clock: Clock
  logger: Logger
}): UsageSampling {
  const history = createUsageHistory(keepMs)
  const stopped = new AbortController()

  async function measure(): Promise<void> {
    try {
      history.add(clock.now(), await probe.read())
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
      async newest(projectIds) {
        const newest = history.newest()
        return (await store.environments.listByState(['running'])).flatMap((environment) => {
          const sample = newest.get(environment.id)
          const isVisible = projectIds === null || projectIds.includes(environment.projectId)
          return sample && isVisible ? [{ environment, sample }] : []
        })
      },
    },
    start: () => void run(),
    stop: () => stopped.abort(),
  }
}
