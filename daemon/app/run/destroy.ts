import type { Locks } from '../../async/locks.ts'
import type { AuditKind, Environment } from '../../domain/records.ts'
import { isLive, statesBefore } from '../../domain/states.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store } from '../../ports.ts'
import { auditRow, type Doer } from '../ground/audit-row.ts'
import type { Reached } from '../ground/failpoints.ts'
import type { Folders } from './folders.ts'
import type { LastAccesses } from './last-accesses.ts'
import type { Retirement } from './retire.ts'
import type { Routing } from './routing.ts'
import type { Supervisor } from './supervisor.ts'
import type { Waking } from './wake.ts'

/** The end of environments: first in the database, then in the world. */
export interface Destruction {
  /** Says so in the database, if `row` may still be destroyed: from then on it is over, whatever becomes of the daemon. */
  mark(tx: Store, row: Environment, end: End): Promise<boolean>
  /** Stops and unroutes what was marked, and clears away what nothing of its branch needs any more. */
  finish(row: Environment): Promise<void>
  /** Clears away what is left on disk of a branch that is gone; leaves one alone that is not. */
  clear(row: Environment): Promise<void>
}

export interface End {
  readonly kind: Extract<AuditKind, 'destroy' | 'ttl_expired'>
  readonly detail: string
  readonly doer: Doer
  readonly purgeSecrets?: boolean
}

export function createDestruction(deps: {
  store: Store
  clock: Clock
  folders: Folders
  routing: Routing
  supervisor: Supervisor
  waking: Waking
  retirement: Retirement
  accesses: LastAccesses
  locks: Locks
  reached: Reached
  onRoom: () => void
}): Destruction {
  const { store, clock, folders, routing, supervisor, waking, retirement, locks, reached } = deps

  /** No version of the branch serves, sleeps or is being made. */
  async function isBranchGone(from: Store, { projectId, branch }: Environment): Promise<boolean> {
    const rows = await from.environments.list(projectId, branch)
    return !rows.some(({ state }) => isLive(state) || state === 'building')
  }

  /** The releases come last: as long as one is there, `clear` will be asked for it after a kill. */
  async function clearBranch(row: Environment): Promise<void> {
    const { projectId, branch } = row
    await folders.removeVolume(projectId, branch)
    const rows = await store.environments.list(projectId, branch)
    const releases = rows.flatMap(({ id, release }) => (release === null ? [] : [{ id, release }]))
    for (const { id, release } of releases) {
      if (folders.isHeld(release)) continue
      await store.environments.update(id, { release: null }, { at: clock.now() })
      await folders.removeRelease(release)
    }
  }

  function clear(row: Environment): Promise<void> {
    return locks.run(branchLock(row), async () => {
      if (await isBranchGone(store, row)) await clearBranch(row)
    })
  }

  return {
    clear,

    async mark(tx, row, { kind, detail, doer, purgeSecrets = false }) {
      const at = clock.now()
      const changes = { state: 'destroyed', hostPort: null } as const
      const options = { at, ifState: statesBefore('destroyed') }
      if (!(await tx.environments.update(row.id, changes, options))) return false
      await tx.audit.write(auditRow(kind, { environment: row }, detail, doer, at))
      if (await isBranchGone(tx, row)) {
        await tx.environments.releaseHostname(row.projectId, row.branch)
        if (purgeSecrets) await tx.secrets.removeBranch(row.projectId, row.branch)
      }
      return true
    },

    async finish(row) {
      waking.cancel(row.id, new DaemonError('conflict', `environment ${row.id} was destroyed`))
      supervisor.forget(row.id)
      deps.accesses.forget(row.id)
      await reached('destroy:unroute')
      await locks.run(row.id, async () => {
        await routing.close(row)
        await reached('destroy:stop')
        await retirement.retire(row, row.hostPort)
      })
      deps.onRoom()
      await reached('destroy:clear')
      await clear(row)
    },
  }
}

/** Held while a deploy makes its row, and while a branch that is gone is cleared away. */
export function branchLock({ projectId, branch }: { projectId: number; branch: string }): string {
  return `${projectId}:${branch}`
}
