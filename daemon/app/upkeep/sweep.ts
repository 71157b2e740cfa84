import { forEachOf, type Locks } from '../../async/locks.ts'
import { durationMs } from '../../domain/duration.ts'
import { type LifetimeStep, lifetimeStep } from '../../domain/lifetimes.ts'
import type { Environment, Project } from '../../domain/records.ts'
import type { Clock, Store } from '../../ports.ts'
import { auditRow, daemonActor } from '../ground/audit-row.ts'
import type { Logger } from '../ground/deps.ts'
import type { Destruction } from '../run/destroy.ts'
import type { LastAccesses } from '../run/last-accesses.ts'
import type { Pausing } from '../run/pause.ts'

/** Sends what nobody uses to sleep, and ends what nobody has used for long. */
export interface Sweep {
  run(): Promise<void>
}

const atOnce = 4
const dayMs = 86_400_000

export function createSweep(deps: {
  store: Store
  clock: Clock
  accesses: LastAccesses
  pausing: Pausing
  destruction: Destruction
  locks: Locks
  logger: Logger
}): Sweep {
  const { store, clock, accesses, pausing, destruction, locks, logger } = deps

  /** By what is known at this moment: the row, its project, the last access in memory. */
  function stepFor(row: Environment, project: Project | undefined): LifetimeStep {
    if (!project) return 'keep'
    const idleSince = row.state === 'build_failed' ? row.updatedAt : accesses.last(row)
    return lifetimeStep({
      state: row.state,
      idleSince,
      now: clock.now(),
      pauseAfterMs: durationMs(project.pauseAfter) ?? dayMs,
      destroyAfterMs: durationMs(project.destroyAfter) ?? 3650 * dayMs,
    })
  }

  async function isStill(step: LifetimeStep, row: Environment, from: Store = store) {
    return stepFor(row, await from.projects.find(row.projectId)) === step
  }

  async function hibernate({ id }: Environment): Promise<void> {
    await locks.run(id, () =>
      store.transaction(async (tx) => {
        const row = await tx.environments.find(id)
        if (!row || !(await isStill('hibernate', row, tx))) return
        const at = clock.now()
        const options = { at, ifState: ['paused'] } as const
        if (!(await tx.environments.update(id, { state: 'hibernating' }, options))) return
        const detail = 'nobody had used it for four times pause_after'
        await tx.audit.write(auditRow('deep_sleep', { environment: row }, detail, daemonActor, at))
      }),
    )
  }

  async function destroy({ id }: Environment): Promise<void> {
    const detail = 'nobody had used it for destroy_after'
    const marked = await locks.run(id, () =>
      store.transaction(async (tx) => {
        const row = await tx.environments.find(id)
        if (!row || !(await isStill('destroy', row, tx))) return undefined
        const end = { kind: 'ttl_expired', detail, doer: daemonActor } as const
        return (await destruction.mark(tx, row, end)) ? row : undefined
      }),
    )
    if (marked) await destruction.finish(marked)
  }

  const actions: Readonly<Record<LifetimeStep, (row: Environment) => Promise<unknown>>> = {
    keep: () => Promise.resolve(),
    pause: ({ id }) => pausing.pauseIdle(id, (row) => isStill('pause', row)),
    hibernate,
    destroy,
  }

  return {
    async run() {
      const projects = new Map((await store.projects.list()).map((one) => [one.id, one]))
      const states = ['running', 'paused', 'hibernating', 'build_failed'] as const
      const rows = await store.environments.listByState(states)
      const due = rows
        .map((row) => ({ row, step: stepFor(row, projects.get(row.projectId)) }))
        .filter(({ step }) => step !== 'keep')
      await forEachOf(due, atOnce, async ({ row, step }) => {
        try {
          await actions[step](row)
        } catch (err) {
          logger.error({ err, environmentId: row.id, step }, 'the sweep could not do this yet')
        }
      })
    },
  }
}
