import type { Locks } from '../../async/locks.ts'
import type { Environment } from '../../domain/records.ts'
import { releasesToPrune } from '../../domain/releases.ts'
import type { Clock, Logs, Store } from '../../ports.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { ReleaseFolders } from '../run/release-folders.ts'

/** Number of a branch's newest environments that keep their logs. */
const keptLogs = 10

/** The step that removes a branch's surplus releases and logs. Idempotent; never removes a release in use. */
export function createPrune(deps: {
  store: Store
  clock: Clock
  folders: ReleaseFolders
  logs: Logs
  locks: Locks
}): (live: Pick<Environment, 'projectId' | 'branch' | 'launch'>) => Promise<void> {
  const { store, clock, folders, logs, locks } = deps
  return ({ projectId, branch, launch }) =>
    locks.run(branchLock({ projectId, branch }), async () => {
      const successful = await store.environments.listSuccessful(projectId, branch)
      const rows = await store.environments.list(projectId, branch)
      const inUse = new Set(
        rows.flatMap(({ state, release }) =>
          release !== null && (state !== 'destroyed' || folders.isHeld(release)) ? [release] : [],
        ),
      )
      for (const release of releasesToPrune(successful, launch?.keepReleases ?? 1, inUse)) {
        for (const row of rows.filter((one) => one.release === release)) {
          await store.environments.update(row.id, { release: null }, { at: clock.now() })
        }
        await folders.removeRelease(release)
      }
      const old = rows.toReversed().slice(keptLogs, 2 * keptLogs)
      for (const { id } of old) await logs.remove(id)
    })
}
