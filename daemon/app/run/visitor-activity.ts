import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { isAsleep } from '../../domain/states.ts'
import type { Clock, Logger, Route, Store } from '../../ports.ts'
import { daemonActor } from '../ground/audit-row.ts'
import type { ActivityUseCases } from '../ground/use-cases.ts'
import type { LastAccesses } from './last-accesses.ts'
import { type Routing, routeOf } from './routing.ts'
import type { Waking } from './wake.ts'

export interface VisitorActivity extends ActivityUseCases {
  /** Wakes the environment of a request held by the gateway. Returns the route for the request. */
  wakeForGateway(environmentId: number): Promise<Route>
}

export function createVisitorActivity(deps: {
  store: Store
  clock: Clock
  logger: Logger
  routing: Routing
  accesses: LastAccesses
  waking: Waking
  locks: Locks
}): VisitorActivity {
  const { store, clock, logger, routing, accesses, waking, locks } = deps

  async function wakeForGateway(environmentId: number): Promise<Route> {
    accesses.note(environmentId, clock.now())
    try {
      return routeOf(await waking.wake(environmentId, daemonActor, false))
    } catch (error) {
      // The gateway's route may be stale. A switch to a newer version holds the lock, so wait for the lock.
      await locks.run(environmentId, () => Promise.resolve())
      const row = await store.environments.find(environmentId)
      const live = row && (await store.environments.findLive(row.projectId, row.branch))
      if (!live || live.id === environmentId) throw error
      return routeOf(await waking.wake(live.id, daemonActor, false))
    }
  }

  async function findByDomain(hostname: string): Promise<Environment | undefined> {
    const id = routing.find(hostname)
    return id === undefined ? undefined : store.environments.find(id)
  }

  return {
    wakeForGateway,

    heartbeat(hostname) {
      const id = routing.find(hostname)
      if (id !== undefined) accesses.note(id, clock.now())
    },

    async wakeByHost(hostname) {
      const environment =
        (await store.environments.findLiveByHostname(hostname)) ?? (await findByDomain(hostname))
      if (!environment) return undefined
      const { id, branch, state } = environment
      accesses.note(id, clock.now())
      if (isAsleep(state)) {
        waking.wake(id, daemonActor, false).catch((err) => {
          logger.warn({ err, environmentId: id }, 'could not wake an environment')
        })
      }
      return { branch, state }
    },
  }
}
