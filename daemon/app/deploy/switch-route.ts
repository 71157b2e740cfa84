import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import type { Announce } from '../ground/announce.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { DefaultBranches } from '../ground/default-branches.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { AppSupervisor } from '../run/app-supervisor.ts'
import type { LastAccesses } from '../run/last-accesses.ts'
import type { Processes } from '../run/processes.ts'
import type { Routing } from '../run/routing.ts'
import type { Schedules } from '../run/schedules.ts'
import type { Waking } from '../run/wake.ts'
import { requireBuilding } from './building-row.ts'
import type { Deploy, SwitchedRoute } from './deploy.ts'
import type { LeaseTransaction } from './lease.ts'

/**
 * The step that makes a healthy environment live. One transaction replaces the old environment and removes the queue
 * entry. The deploy has succeeded with the commit: later errors are logged, and nothing is undone.
 */
export function createSwitchRoute(deps: {
  store: Store
  clock: Clock
  logger: Logger
  supervisor: AppSupervisor
  waking: Waking
  routing: Routing
  accesses: LastAccesses
  locks: Locks
  leaseTransaction: LeaseTransaction
  announce: Announce
  failpoints: Failpoints
  defaultBranches: DefaultBranches
  processes: Pick<Processes, 'start' | 'stop'>
  schedules: Pick<Schedules, 'changed'>
}): (deploy: Deploy, environment: Environment) => Promise<SwitchedRoute> {
  const { store, clock, supervisor, waking, routing, accesses, locks, failpoints } = deps

  async function commit(tx: Store, { entry, actor }: Deploy, id: number): Promise<SwitchedRoute> {
    const at = clock.now()
    const old = (await tx.environments.findLive(entry.projectId, entry.branch)) ?? null
    const changes = { state: 'running', reason: null, lastAccessedAt: at } as const
    const environment = requireBuilding(
      await tx.environments.update(id, changes, { at, ifState: ['building'] }),
    )
    if (old) await tx.environments.update(old.id, { state: 'destroyed', hostPort: null }, { at })
    const commitSha = environment.commitSha.slice(0, 12)
    const detail = old
      ? `${commitSha} runs and replaces environment ${old.id}`
      : `${commitSha} runs`
    await tx.audit.write(auditRow('build_succeeded', { environment }, detail, actor, at))
    await deps.defaultBranches.suggest(tx, entry.projectId, entry.branch)
    await deps.announce(tx, { kind: 'deploy.succeeded', environment, message: detail })
    await tx.queue.remove(entry.id)
    return { environment, old }
  }

  async function moveRequests({ environment, old }: SwitchedRoute): Promise<void> {
    accesses.note(environment.id, environment.lastAccessedAt)
    // If the new app has crashed already, its restart opens the route.
    if (supervisor.findRecovery(environment.id)) await routing.hold(environment)
    else await routing.open(environment)
    if (!old) return
    supervisor.forget(old.id)
    accesses.forget(old.id)
    if (old.hostname !== environment.hostname) await routing.close(old)
  }

  /** Stops the old processes before the new ones start: two versions never take work from one queue at once. */
  async function replaceProcesses({ environment: { id }, old }: SwitchedRoute): Promise<void> {
    if (old) {
      await deps.processes.stop(old.id, 'remove').catch((err) => {
        deps.logger.error({ err, environmentId: old.id }, 'could not stop the processes')
      })
    }
    await locks.run(id, async () => {
      const row = await store.environments.find(id)
      if (row?.state === 'running') deps.processes.start(row)
    })
  }

  return async (deploy, { id, projectId, branch }) => {
    const live = await store.environments.findLive(projectId, branch)
    // Cancel a wake or a restart of the old version: both would hold its lock for minutes.
    if (live) {
      waking.cancel(live.id, replaced(live))
      supervisor.forget(live.id)
    }
    const locked = <T>(work: () => Promise<T>) =>
      locks.run(id, () => (live ? locks.run(live.id, work) : work()))
    const switched = await locked(async () => {
      const result = await deps.leaseTransaction(deploy, (tx) => commit(tx, deploy, id))
      deploy.residue.undo.length = 0
      try {
        await failpoints.hit('deploy:switched')
        await moveRequests(result)
      } catch (err) {
        deps.logger.error({ err, environmentId: id }, 'could not route requests to a new version')
      }
      return result
    })
    supervisor.checkExit(switched.environment)
    deps.schedules.changed()
    await replaceProcesses(switched)
    return switched
  }
}

/** Error of the cancelled wake. The caller of the wake then looks for the new version. */
function replaced({ id }: Environment): DaemonError {
  return new DaemonError('conflict', `a newer version replaced environment ${id}`)
}
