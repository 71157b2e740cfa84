import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store } from '../../ports.ts'
import { auditRow } from '../ground/audit-row.ts'
import type { Reached } from '../ground/failpoints.ts'
import type { LastAccesses } from '../run/last-accesses.ts'
import type { Launcher } from '../run/launcher.ts'
import type { Routing } from '../run/routing.ts'
import type { Supervisor } from '../run/supervisor.ts'
import type { Waking } from '../run/wake.ts'
import type { Fenced } from './lease.ts'
import { stillBuilding } from './prepare.ts'
import { from, type Progress } from './progress.ts'

export interface SwitchDeps {
  readonly clock: Clock
  readonly launcher: Launcher
  readonly supervisor: Supervisor
  readonly waking: Waking
  readonly routing: Routing
  readonly accesses: LastAccesses
  readonly locks: Locks
  readonly fenced: Fenced
  readonly store: Store
  readonly reached: Reached
}

type Step = 'start' | 'await-healthy' | 'switch-route'

/** The steps of a deploy that bring the new version up and traffic to it. */
export function createSwitch(
  deps: SwitchDeps,
): Record<Step, (progress: Progress) => Promise<void>> {
  const { clock, launcher, supervisor, routing, locks, fenced, store, reached } = deps

  async function start(progress: Progress): Promise<void> {
    const environment = from(progress.environment, 'admit')
    supervisor.starting(environment.id)
    const instance = await launcher.start(environment)
    progress.instance = instance
    const changes = { containerName: instance.name, hostPort: instance.port }
    progress.environment = await fenced(progress, (tx) =>
      tx.environments
        .update(environment.id, changes, { at: clock.now(), ifState: ['building'] })
        .then(stillBuilding),
    )
  }

  async function awaitHealthy(progress: Progress): Promise<void> {
    const environment = from(progress.environment, 'admit')
    await launcher.awaitHealthy(environment, from(progress.instance, 'start'), progress.signal)
  }

  /** One transaction makes the new row live, the old one history and the entry done: it happened, or it did not. */
  async function switchRoute(progress: Progress): Promise<void> {
    const { entry } = progress
    const live = await store.environments.findLive(entry.projectId, entry.branch)
    // Nothing else happens to the old version meanwhile; a wake or a restart of it is not waited for.
    if (live) {
      deps.waking.cancel(live.id, superseded(live))
      supervisor.forget(live.id)
    }
    const { id } = from(progress.environment, 'admit')
    const alone = <T>(work: () => Promise<T>) =>
      locks.run(id, () => (live ? locks.run(live.id, work) : work()))
    await alone(async () => {
      const { environment, old } = await fenced(progress, (tx) => commit(tx, progress))
      progress.environment = environment
      progress.old = old
      await reached('deploy:switched')
      deps.accesses.note(environment.id, environment.lastAccessedAt)
      // One that has ended already is being started again, and opened then.
      if (supervisor.whenUp(environment.id)) await routing.hold(environment)
      else await routing.open(environment)
      if (!old) return
      supervisor.forget(old.id)
      deps.accesses.forget(old.id)
      if (old.hostname !== environment.hostname) await routing.close(old)
    })
    supervisor.confirm(from(progress.environment, 'admit'))
  }

  async function commit(tx: Store, progress: Progress) {
    const { entry, doer } = progress
    const { id } = from(progress.environment, 'admit')
    const at = clock.now()
    const old = (await tx.environments.findLive(entry.projectId, entry.branch)) ?? null
    const environment = stillBuilding(
      await tx.environments.update(
        id,
        { state: 'running', reason: null, lastAccessedAt: at },
        { at, ifState: ['building'] },
      ),
    )
    if (old) await replaceRow(tx, old, at)
    const detail = `${environment.commitSha.slice(0, 12)} runs${old ? ` in place of environment ${old.id}` : ''}`
    await tx.audit.write(auditRow('build_succeeded', { environment }, detail, doer, at))
    await tx.queue.remove(entry.id)
    return { environment, old }
  }

  return { start, 'await-healthy': awaitHealthy, 'switch-route': switchRoute }
}

async function replaceRow(tx: Store, old: Environment, at: number): Promise<void> {
  await tx.environments.update(old.id, { state: 'destroyed', hostPort: null }, { at })
}

/** Why a wake of an old version ended: its caller looks for the new one. */
function superseded({ id }: Environment): DaemonError {
  return new DaemonError('conflict', `a newer version has taken the place of environment ${id}`)
}
