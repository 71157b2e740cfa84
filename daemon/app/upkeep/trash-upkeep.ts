import { forEachLimited } from '../../async/for-each-limited.ts'
import type { Locks } from '../../async/locks.ts'
import type { TrashEntry } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Logger, Runtime, Store } from '../../ports.ts'
import { daemonActor } from '../ground/audit-row.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { Destruction } from '../run/destroy.ts'
import type { Trash } from '../run/trash.ts'
import type { TrashFolders } from '../run/trash-folders.ts'
import type { TrashedDatabases } from '../run/trashed-databases.ts'

/** Repairs the trash after kills and restores, and removes what is past its time. */
export interface TrashUpkeep {
  /** Matches rows and folders. Call it once, before requests and deploys. */
  begin(): Promise<void>
  /** Completes moves and removals that a kill or an error interrupted. */
  settle(): Promise<void>
  removeExpired(): Promise<void>
}

export function createTrashUpkeep(deps: {
  store: Store
  clock: Clock
  runtime: Pick<Runtime, 'list'>
  locks: Locks
  trash: Trash
  trashFolders: TrashFolders
  trashedDatabases: Pick<TrashedDatabases, 'has'>
  destruction: Pick<Destruction, 'clear'>
  logger: Logger
}): TrashUpkeep {
  const { store, clock, runtime, locks, trash, trashFolders, destruction, logger } = deps

  /** A restored database may lack entries, or have entries whose data was restored or removed since the backup. */
  async function matchFolders(): Promise<TrashEntry[]> {
    const added: TrashEntry[] = []
    for (const { id, entry } of await trashFolders.list()) {
      if (await store.trash.find(id)) continue
      if (!(await trashFolders.hasData(id))) await trashFolders.remove(id)
      else if (entry) {
        const sizeBytes = await trashFolders.sizeOf(id)
        const kept = { ...entry, state: 'kept', sizeBytes } as const
        await store.trash.add(kept)
        added.push(kept)
        logger.info({ trashId: id }, 'found data in the trash that the database does not list')
      } else logger.warn({ trashId: id }, 'data in the trash has no description: nothing lists it')
    }
    return added
  }

  /** A branch that a restored database has brought back to life must not start without its data. */
  async function giveBackToLive(entries: readonly TrashEntry[]): Promise<void> {
    for (const { projectId, branch } of entries) {
      await locks.run(branchLock({ projectId, branch }), async () => {
        const live = await store.environments.findLive(projectId, branch)
        if (live) await trash.giveBack(live, daemonActor)
      })
    }
  }

  async function forgetMissing(): Promise<void> {
    for (const { id, project, branch } of await store.trash.list({ state: 'kept' })) {
      if ((await trashFolders.hasData(id)) || (await deps.trashedDatabases.has(id))) continue
      await store.trash.remove(id)
      const fields = { trashId: id, project, branch }
      logger.warn(fields, 'an entry of the trash has no data: it is not listed any more')
    }
  }

  /** Returns true if an app of the entry's branch still runs: its removal is in progress. */
  async function isInUse({ projectId, branch }: TrashEntry): Promise<boolean> {
    const rows = await store.environments.list(projectId, branch)
    const running = new Set([...(await runtime.list()).values()].map((app) => app.environmentId))
    return rows.some(({ id }) => running.has(id))
  }

  async function removeOne({ id, ...branch }: TrashEntry): Promise<void> {
    await locks.run(branchLock(branch), async () => {
      // A deploy or a person may have brought the data back.
      const entry = await store.trash.find(id)
      if (entry?.state !== 'kept') return
      const since = new Date(entry.trashedAt).toISOString()
      const detail = `the data of ${entry.branch}, in the trash since ${since}, was deleted: its time is over`
      await trash.purge(entry, detail, daemonActor)
    })
  }

  return {
    async begin() {
      const added = await matchFolders()
      await forgetMissing()
      await giveBackToLive(added)
      // Removing millions of files takes minutes: do not keep requests waiting.
      trashFolders
        .removeLeftovers()
        .catch((err) => logger.error({ err }, 'could not remove data from the trash'))
    },

    async settle() {
      for (const entry of await store.trash.listUnfinished()) {
        if (await isInUse(entry)) continue
        await destruction.clear(entry).catch((error: unknown) => {
          if (!(error instanceof DaemonError) || error.kind !== 'transient') throw error
          logger.warn({ trashId: entry.id }, `data does not reach the trash: ${error.message}`)
        })
      }
    },

    async removeExpired() {
      const expired = await store.trash.listExpired(clock.now())
      await forEachLimited(expired, 2, async (entry) => {
        try {
          await removeOne(entry)
        } catch (err) {
          logger.error({ err, trashId: entry.id }, 'could not remove data from the trash')
        }
      })
    },
  }
}
