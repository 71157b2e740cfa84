import type { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import { daemonActor } from '../ground/audit-row.ts'
import type { DataUsage } from '../run/data-usage.ts'
import type { Pausing } from '../run/pause.ts'

/** Measures the data of all projects now and then, and pauses the apps of projects above the quota. */
export interface DataQuota {
  /** Starts a measurement if it is time for one. Does not wait for its end: a large tree takes seconds. */
  signal(): void
}

/** Interval of the measurements with a quota, and without one. */
const intervalMs = { withQuota: 10_000, otherwise: 600_000 }

export function createDataQuota(deps: {
  store: Store
  clock: Clock
  logger: Logger
  dataUsage: DataUsage
  pausing: Pick<Pausing, 'pause'>
}): DataQuota {
  const { store, clock, logger, dataUsage, pausing } = deps
  let nextAt = 0
  let isRunning = false

  async function pauseApps(projectId: number, { message }: DaemonError): Promise<void> {
    for (const { id, state } of await store.environments.listLive({ projectId })) {
      if (state !== 'running') continue
      logger.warn({ projectId, environmentId: id }, `pausing an app: ${message}`)
      await pausing.pause(id, daemonActor)
      const options = { at: clock.now(), ifState: ['paused'] } as const
      await store.environments.update(id, { reason: message }, options)
    }
  }

  async function measureAll(): Promise<void> {
    const ids = (await store.projects.list()).map(({ id }) => id)
    dataUsage.keepOnly(new Set(ids))
    for (const id of ids) {
      const excess = await dataUsage.measure(id)
      if (excess) await pauseApps(id, excess)
    }
  }

  return {
    signal() {
      if (isRunning || clock.monotonic() < nextAt) return
      isRunning = true
      measureAll()
        .catch((err) => logger.error({ err }, 'could not measure the data of projects'))
        .finally(() => {
          isRunning = false
          const { withQuota, otherwise } = intervalMs
          nextAt = clock.monotonic() + (dataUsage.quotaBytes === null ? otherwise : withQuota)
        })
    },
  }
}
