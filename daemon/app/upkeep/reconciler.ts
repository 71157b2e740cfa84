import type { Locks } from '../../async/locks.ts'
import { isRecorded, placeOf } from '../../domain/endpoints.ts'
import type { Environment } from '../../domain/records.ts'
import type { Clock, Instance, Logger, Runtime, Store } from '../../ports.ts'
import { Interrupted } from '../deploy/faults.ts'
import type { Worker } from '../deploy/worker.ts'
import { auditRow, daemonActor } from '../ground/audit-row.ts'
import type { AppSupervisor } from '../run/app-supervisor.ts'
import type { Destruction } from '../run/destroy.ts'
import type { MovingApps } from '../run/moving-apps.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'
import type { Retirement } from '../run/retire.ts'
import type { Routing } from '../run/routing.ts'
import { createOrphanedReleases } from './orphaned-releases.ts'

/** Repairs processes and folders that differ from the database, after crashes and restarts. */
export interface Reconciler {
  run(): Promise<void>
  /** Adopts the previous daemon's state. Call it once, before deploys and requests. */
  begin(): Promise<void>
}

export function createReconciler(deps: {
  store: Store
  runtime: Runtime
  clock: Clock
  folders: ReleaseFolders
  routing: Routing
  supervisor: AppSupervisor
  retirement: Retirement
  destruction: Pick<Destruction, 'clear'>
  worker: Worker
  locks: Locks
  movingApps: Pick<MovingApps, 'has'>
  logger: Logger
}): Reconciler {
  const { store, runtime, clock, routing, supervisor, retirement, worker, locks, logger } = deps
  const removeOrphans = createOrphanedReleases(deps)

  /** Marks the environment of an interrupted deploy failed. Its queue entry stays, so that the deploy runs again. */
  async function endInterrupted(row: Environment): Promise<void> {
    await store.transaction(async (tx) => {
      const at = clock.now()
      const reason = new Interrupted().message
      const changes = { state: 'build_failed', reason, hostPort: null, release: null } as const
      const options = { at, ifState: ['building'] } as const
      if (!(await tx.environments.update(row.id, changes, options))) return
      await tx.audit.write(auditRow('build_failed', { environment: row }, reason, daemonActor, at))
    })
  }

  async function adopt(row: Environment, instance: Instance): Promise<void> {
    if (isRecorded(row, instance)) return
    const changes = placeOf(instance)
    const options = { at: clock.now(), ifState: ['running'] } as const
    const updated = await store.environments.update(row.id, changes, options)
    if (updated) await routing.open(updated)
  }

  /** Adopts or restarts the process of a running environment. The lock serializes work on the environment. */
  async function checkRunning(id: number): Promise<void> {
    await locks.run(id, async () => {
      if (supervisor.findRecovery(id) || deps.movingApps.has(id)) return
      const row = await store.environments.find(id)
      if (row?.state !== 'running') return
      const instance = byEnvironment(await runtime.list()).get(id)
      if (instance) await adopt(row, instance)
      else supervisor.restartNow(row)
    })
  }

  /** Stops a process whose environment is neither running nor being deployed. */
  async function checkStray(instance: Instance): Promise<void> {
    const id = instance.environmentId
    await locks.run(id, async () => {
      const row = await store.environments.find(id)
      const isWanted =
        row?.state === 'running' || (row?.state === 'building' && worker.isDeploying(row))
      if (isWanted || retirement.isRetiring(id)) return
      logger.warn({ environmentId: id, state: row?.state }, 'stopping a stray process')
      await retirement.retire({ id }, instance.endpoints[0])
    })
  }

  async function run(): Promise<void> {
    for (const row of await store.environments.listByState(['building'])) {
      if (!worker.isDeploying(row)) await endInterrupted(row)
    }
    const instances = byEnvironment(await runtime.list())
    const running = await store.environments.listByState(['running'])
    const runningIds = new Set(running.map(({ id }) => id))
    const suspect = running.filter((row) => !isRecorded(row, instances.get(row.id)))
    const strays = [...instances.values()].filter(
      ({ environmentId }) => !runningIds.has(environmentId),
    )
    await Promise.all(suspect.map(({ id }) => checkRunning(id)))
    await Promise.all(
      strays
        .filter(({ environmentId }) => !retirement.isRetiring(environmentId))
        .map((instance) => checkStray(instance)),
    )
  }

  return {
    run,
    async begin() {
      // This daemon holds the lock of the data folder: every existing lease is stale.
      await store.queue.releaseExpired(Number.MAX_SAFE_INTEGER)
      for (const row of await store.environments.listByState(['building'])) {
        await endInterrupted(row)
      }
      const instances = byEnvironment(await runtime.list())
      const live = await store.environments.listLive()
      const routes = live.map((row) => {
        const instance = instances.get(row.id)
        return { ...row, ...(instance ? placeOf(instance) : { hostPort: null }) }
      })
      // Start the recovery before routing, so that requests wait for the restart.
      for (const row of live) {
        if (row.state === 'running' && !instances.has(row.id)) supervisor.restartNow(row)
      }
      await routing.replace(routes)
      removeOrphans().catch((err) => logger.error({ err }, 'could not remove orphaned releases'))
    },
  }
}

function byEnvironment(instances: ReadonlyMap<string, Instance>): Map<number, Instance> {
  return new Map([...instances.values()].map((instance) => [instance.environmentId, instance]))
}
