import { forEachLimited } from '../../async/for-each-limited.ts'
import type { Locks } from '../../async/locks.ts'
import { durationMs } from '../../domain/duration.ts'
import { destroyAfterMs, type LifetimeStep, lifetimeStep } from '../../domain/lifetimes.ts'
import type { Environment, Project } from '../../domain/records.ts'
import { liveStates } from '../../domain/states.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import { auditRow, daemonActor } from '../ground/audit-row.ts'
import type { Destruction } from '../run/destroy.ts'
import type { LastAccesses } from '../run/last-accesses.ts'
import type { Pausing } from '../run/pause.ts'
import type { DestructionGuard } from './destruction-guard.ts'

/** Pauses, hibernates and destroys idle environments according to their project's lifetimes. */
export interface Sweep {
  run(): Promise<void>
}

const parallelSteps = 4
const dayMs = 86_400_000

export function createSweep(deps: {
  store: Store
  clock: Clock
  accesses: LastAccesses
  pausing: Pausing
  destruction: Destruction
  guard: Pick<DestructionGuard, 'isOpen'>
  locks: Locks
  logger: Logger
}): Sweep {
  const { store, clock, accesses, pausing, destruction, guard, locks, logger } = deps

  /** Chooses the step from the environment, its project, and the last access in memory. */
  function stepFor(
    row: Environment,
    project: Project | undefined,
    mayDestroy: boolean,
  ): LifetimeStep {
    if (!project) return 'keep'
    const idleSince = row.state === 'build_failed' ? row.updatedAt : accesses.last(row)
    return lifetimeStep({
      state: row.state,
      idleSince,
      now: clock.now(),
      pauseAfterMs: durationMs(project.pauseAfter) ?? dayMs,
      destroyAfterMs: mayDestroy ? destroyAfterMs(project, row.branch) : Number.POSITIVE_INFINITY,
    })
  }

  async function isStillDue(step: LifetimeStep, row: Environment, db: Store = store) {
    return stepFor(row, await db.projects.find(row.projectId), guard.isOpen()) === step
  }

  async function hibernate({ id }: Environment): Promise<void> {
    await locks.run(id, () =>
      store.transaction(async (tx) => {
        const row = await tx.environments.find(id)
        if (!row || !(await isStillDue('hibernate', row, tx))) return
        const at = clock.now()
        const options = { at, ifState: ['paused'] } as const
        if (!(await tx.environments.update(id, { state: 'hibernating' }, options))) return
        const detail = 'idle for four times pause_after'
        await tx.audit.write(auditRow('deep_sleep', { environment: row }, detail, daemonActor, at))
      }),
    )
  }

  async function destroy({ id }: Environment): Promise<void> {
    const detail = 'idle for destroy_after'
    const marked = await locks.run(id, () =>
      store.transaction(async (tx) => {
        const row = await tx.environments.find(id)
        if (!row || !(await isStillDue('destroy', row, tx))) return undefined
        const cause = { kind: 'ttl_expired', detail, actor: daemonActor } as const
        return (await destruction.mark(tx, row, cause)) ? row : undefined
      }),
    )
    if (marked) await destruction.finish(marked)
  }

  const actions: Readonly<Record<LifetimeStep, (row: Environment) => Promise<unknown>>> = {
    keep: () => Promise.resolve(),
    pause: ({ id }) => pausing.pauseIdle(id, (row) => isStillDue('pause', row)),
    hibernate,
    destroy,
  }

  return {
    async run() {
      const projects = new Map((await store.projects.list()).map((one) => [one.id, one]))
      const rows = await store.environments.listByState([...liveStates, 'build_failed'])
      const mayDestroy = guard.isOpen()
      const due = rows
        .map((row) => ({ row, step: stepFor(row, projects.get(row.projectId), mayDestroy) }))
        .filter(({ step }) => step !== 'keep')
      await forEachLimited(due, parallelSteps, async ({ row, step }) => {
        try {
          await actions[step](row)
        } catch (err) {
          logger.error(
            { err, environmentId: row.id, step },
            'a sweep step failed: the next sweep retries it',
          )
        }
      })
    },
  }
}
