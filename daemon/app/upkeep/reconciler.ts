import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import type { Clock, Instance, Runtime, Store } from '../../ports.ts'
import { Interrupted } from '../deploy/faults.ts'
import type { Worker } from '../deploy/worker.ts'
import { auditRow, daemonActor } from '../ground/audit-row.ts'
import type { Logger } from '../ground/deps.ts'
import type { Destruction } from '../run/destroy.ts'
import type { Folders } from '../run/folders.ts'
import type { Retirement } from '../run/retire.ts'
import type { Routing } from '../run/routing.ts'
import type { Supervisor } from '../run/supervisor.ts'

/** Makes what runs be what the database says, whatever happened in between. */
export interface Reconciler {
  run(): Promise<void>
  /** Before anything else happens: takes over what an earlier daemon has left. */
  begin(): Promise<void>
}

export function createReconciler(deps: {
  store: Store
  runtime: Runtime
  clock: Clock
  folders: Folders
  routing: Routing
  supervisor: Supervisor
  retirement: Retirement
  destruction: Pick<Destruction, 'clear'>
  worker: Worker
  locks: Locks
  logger: Logger
}): Reconciler {
  const { store, runtime, clock, folders, routing, supervisor, retirement, worker, locks } = deps
  const { destruction, logger } = deps

  /** A deploy of which nobody is doing anything any more. Its entry is in the queue still. */
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
    if (row.hostPort === instance.port) return
    const changes = { hostPort: instance.port, containerName: instance.name }
    const options = { at: clock.now(), ifState: ['running'] } as const
    const updated = await store.environments.update(row.id, changes, options)
    if (updated) await routing.open(updated)
  }

  /** A running row and what runs of it; anything that is going on with it has ended when this looks. */
  async function checkRunning(id: number): Promise<void> {
    await locks.run(id, async () => {
      if (supervisor.whenUp(id)) return
      const row = await store.environments.find(id)
      if (row?.state !== 'running') return
      const instance = byEnvironment(await runtime.list()).get(id)
      if (instance) await adopt(row, instance)
      else supervisor.revive(row)
    })
  }

  /** A process whose row does not want it. */
  async function checkStray(instance: Instance): Promise<void> {
    const id = instance.environmentId
    await locks.run(id, async () => {
      const row = await store.environments.find(id)
      const isWanted = row?.state === 'running' || (row?.state === 'building' && worker.isBusy(row))
      if (isWanted || retirement.isRetiring(id)) return
      logger.warn({ environmentId: id, state: row?.state }, 'a process nobody wants is stopped')
      await retirement.retire({ id }, instance.port)
    })
  }

  async function run(): Promise<void> {
    for (const row of await store.environments.listByState(['building'])) {
      if (!worker.isBusy(row)) await endInterrupted(row)
    }
    const instances = byEnvironment(await runtime.list())
    const running = await store.environments.listByState(['running'])
    const wanted = new Set(running.map(({ id }) => id))
    const suspect = running.filter(({ id, hostPort }) => instances.get(id)?.port !== hostPort)
    const strays = [...instances.values()].filter(({ environmentId }) => !wanted.has(environmentId))
    await Promise.all(suspect.map(({ id }) => checkRunning(id)))
    await Promise.all(
      strays
        .filter(({ environmentId }) => !retirement.isRetiring(environmentId))
        .map((instance) => checkStray(instance)),
    )
  }

  /** Folders that no row of a living branch speaks of: of deploys that broke off, of branches whose end did. */
  async function removeOrphans(): Promise<void> {
    const found = await folders.listReleases()
    const held = new Set(found.filter(folders.isHeld))
    const known = new Set<string>()
    for (const { projectId, branch } of await store.environments.listLive()) {
      for (const { release } of await store.environments.list(projectId, branch)) {
        if (release !== null) known.add(release)
      }
    }
    for (const release of found) {
      if (known.has(release) || held.has(release)) continue
      const row = await rowOf(release)
      if (row) await destruction.clear(row)
      await folders.removeRelease(release)
    }
  }

  async function rowOf(release: string): Promise<Environment | undefined> {
    const rows = await store.environments.list(folders.projectOf(release))
    return rows.find((row) => row.release === release)
  }

  return {
    run,
    async begin() {
      // This daemon alone has the data folder: no lease but its own is anybody's.
      await store.queue.releaseExpired(Number.MAX_SAFE_INTEGER)
      for (const row of await store.environments.listByState(['building'])) {
        await endInterrupted(row)
      }
      const instances = byEnvironment(await runtime.list())
      const live = await store.environments.listLive()
      const routes = live.map((row) => ({
        ...row,
        hostPort: instances.get(row.id)?.port ?? null,
      }))
      // First, so that whoever asks for one of them waits until it is back.
      for (const row of live) {
        if (row.state === 'running' && !instances.has(row.id)) supervisor.revive(row)
      }
      await routing.replace(routes)
      later(removeOrphans(), 'folders that nobody needs could not be removed')
    },
  }

  function later(work: Promise<void>, message: string): void {
    work.catch((err) => logger.error({ err }, message))
  }
}

function byEnvironment(instances: ReadonlyMap<string, Instance>): Map<number, Instance> {
  return new Map([...instances.values()].map((instance) => [instance.environmentId, instance]))
}
