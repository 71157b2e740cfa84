import type { Locks } from '../../async/locks.ts'
import { endpointOf } from '../../domain/endpoints.ts'
import type { AuditKind, Environment, TrashReason } from '../../domain/records.ts'
import { isLive, statesBefore } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Store } from '../../ports.ts'
import { type AuditActor, auditRow } from '../ground/audit-row.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { Failpoints } from '../ground/failpoints.ts'
import type { AppSupervisor } from './app-supervisor.ts'
import type { DataMoves } from './data-moves.ts'
import type { LastAccesses } from './last-accesses.ts'
import type { OneOffRuns } from './one-offs.ts'
import type { Processes } from './processes.ts'
import type { ReleaseFolders } from './release-folders.ts'
import type { Retirement } from './retire.ts'
import type { Routing } from './routing.ts'
import type { Schedules } from './schedules.ts'
import type { Branch, Trash } from './trash.ts'
import type { Waking } from './wake.ts'

/** Destroys environments: first in the database, then processes, routes and folders. */
export interface Destruction {
  /**
   * Marks the environment destroyed. Irreversible: the next daemon completes an interrupted removal. Returns false if
   * already destroyed.
   */
  mark(tx: Store, row: Environment, cause: DestroyCause): Promise<boolean>
  /**
   * Removes the route and process of an environment marked destroyed. Removes the branch's folders if no other
   * environment is live or building.
   */
  finish(row: Environment): Promise<void>
  /**
   * Moves the data of a branch to the trash as planned, and removes its releases. No-op if the branch has a live or
   * building environment.
   */
  clear(branch: Branch): Promise<void>
  /** Plans the removal of a branch's data in the trash. No-op if the branch has a live or building environment. */
  planPurge(tx: Store, branch: Branch, actor: AuditActor): Promise<void>
}

export interface DestroyCause {
  readonly kind: Extract<AuditKind, 'destroy' | 'ttl_expired'>
  readonly detail: string
  readonly actor: AuditActor
  /** Default: `expired` for `ttl_expired`, otherwise `destroyed`. */
  readonly reason?: TrashReason
  readonly purgeSecrets?: boolean
  /** True: the branch's data is removed now. */
  readonly purgeData?: boolean
}

export function createDestruction(deps: {
  store: Store
  clock: Clock
  folders: ReleaseFolders
  trash: Trash
  dataMoves: Pick<DataMoves, 'bringHome'>
  routing: Routing
  supervisor: AppSupervisor
  waking: Waking
  retirement: Retirement
  accesses: LastAccesses
  locks: Locks
  failpoints: Failpoints
  processes: Pick<Processes, 'stop'>
  schedules: Pick<Schedules, 'endOf'>
  oneOffRuns: Pick<OneOffRuns, 'endOf'>
  logger: Logger
  onMemoryFreed: () => void
}): Destruction {
  const {
    store,
    clock,
    folders,
    trash,
    dataMoves,
    routing,
    supervisor,
    waking,
    retirement,
    locks,
    failpoints,
  } = deps

  /** Returns true if the branch has neither a live nor a building environment. */
  async function isBranchGone(db: Store, { projectId, branch }: Branch): Promise<boolean> {
    const rows = await db.environments.list(projectId, branch)
    return !rows.some(({ state }) => isLive(state) || state === 'building')
  }

  /** Removes releases last: a release left after a crash makes the next daemon repeat `clear`. */
  async function clearBranch({ projectId, branch }: Branch): Promise<void> {
    await dataMoves.bringHome({ projectId, branch })
    await trash.settle({ projectId, branch })
    const rows = await store.environments.list(projectId, branch)
    const releases = rows.flatMap(({ id, release }) => (release === null ? [] : [{ id, release }]))
    for (const { id, release } of releases) {
      if (folders.isHeld(release)) continue
      await store.environments.update(id, { release: null }, { at: clock.now() })
      await folders.removeRelease(release)
    }
  }

  function clear(branch: Branch): Promise<void> {
    return locks.run(branchLock(branch), async () => {
      if (await isBranchGone(store, branch)) await clearBranch(branch)
    })
  }

  return {
    clear,

    async planPurge(tx, branch, actor) {
      if (!(await isBranchGone(tx, branch))) return
      await trash.plan(tx, branch, { reason: 'destroyed', actor, purge: true })
    },

    async mark(tx, row, cause) {
      const { kind, detail, actor, purgeSecrets = false, purgeData = false } = cause
      const at = clock.now()
      const changes = { state: 'destroyed', hostPort: null } as const
      const options = { at, ifState: statesBefore('destroyed') }
      if (!(await tx.environments.update(row.id, changes, options))) return false
      const write = (text: string) =>
        tx.audit.write(auditRow(kind, { environment: row }, text, actor, at))
      if (!(await isBranchGone(tx, row))) {
        await write(detail)
        return true
      }
      const { reason = kind === 'ttl_expired' ? 'expired' : 'destroyed' } = cause
      const dataFate = await trash.plan(tx, row, { reason, actor, purge: purgeData })
      await write(`${detail}; ${dataFate}`)
      await tx.environments.releaseHostname(row.projectId, row.branch)
      if (purgeSecrets) await tx.secrets.removeBranch(row.projectId, row.branch)
      return true
    },

    async finish(row) {
      waking.cancel(row.id, new DaemonError('conflict', `environment ${row.id} was destroyed`))
      supervisor.forget(row.id)
      deps.accesses.forget(row.id)
      await failpoints.hit('destroy:unroute')
      await locks.run(row.id, async () => {
        await routing.close(row)
        await failpoints.hit('destroy:stop')
        await Promise.all([
          retirement.retire(row, endpointOf(row)),
          deps.processes.stop(row.id, 'remove'),
        ])
      })
      if (await isBranchGone(store, row)) {
        await Promise.all([deps.oneOffRuns.endOf(row), deps.schedules.endOf(row)])
      }
      deps.onMemoryFreed()
      await failpoints.hit('destroy:clear')
      await clear(row).catch((error: unknown) => {
        // The data is on a node that does not respond: housekeeping tries again.
        if (!(error instanceof DaemonError) || error.kind !== 'transient') throw error
        deps.logger.warn({ environmentId: row.id }, error.message)
      })
    },
  }
}
