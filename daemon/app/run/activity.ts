import type { Locks } from '../../async/locks.ts'
import { isAsleep } from '../../domain/states.ts'
import type { Clock, Route, Store } from '../../ports.ts'
import { daemonActor } from '../ground/audit-row.ts'
import type { Logger } from '../ground/deps.ts'
import type { ActivityUseCases } from '../ground/use-cases.ts'
import type { LastAccesses } from './last-accesses.ts'
import { type Routing, routeOf } from './routing.ts'
import type { Waking } from './wake.ts'

export interface Activity extends ActivityUseCases {
  /** The gateway holds a request for an environment: where it may go, once it may. */
  wakeForGateway(environmentId: number): Promise<Route>
}

export function createActivity(deps: {
  store: Store
  clock: Clock
  logger: Logger
  routing: Routing
  accesses: LastAccesses
  waking: Waking
  locks: Locks
}): Activity {
  const { store, clock, logger, routing, accesses, waking, locks } = deps

  async function wakeForGateway(environmentId: number): Promise<Route> {
    accesses.note(environmentId, clock.now())
    try {
      return routeOf(await waking.wake(environmentId, daemonActor, false))
    } catch (error) {
      // Its route may be older than the version that serves now, or that is taking its place this moment.
      await locks.run(environmentId, () => Promise.resolve())
      const row = await store.environments.find(environmentId)
      const live = row && (await store.environments.findLive(row.projectId, row.branch))
      if (!live || live.id === environmentId) throw error
      return routeOf(await waking.wake(live.id, daemonActor, false))
    }
  }

  return {
    wakeForGateway,

    heartbeat(hostname) {
      const id = routing.find(hostname)
      if (id !== undefined) accesses.note(id, clock.now())
    },

    async wakeByHost(hostname) {
      const environment = await store.environments.findLiveByHostname(hostname)
      if (!environment) return undefined
      const { id, branch, state } = environment
      accesses.note(id, clock.now())
      if (isAsleep(state)) {
        waking.wake(id, daemonActor, false).catch((err) => {
          logger.warn({ err, environmentId: id }, 'it did not wake')
        })
      }
      return { branch, state }
    },
  }
}
