import type { Locks } from '../../async/locks.ts'
import type { Store } from '../../ports.ts'
import { branchLock } from '../ground/branch-lock.ts'
import type { Trash, TrashCause } from '../run/trash.ts'
import type { TrashFolders } from '../run/trash-folders.ts'

/** Moves the data of a deleted project to the trash, of branches without an environment too. */
export interface ProjectData {
  /** Returns the volumes with files and the names of the project's branches. Call before `plan`. */
  read(projectId: number): Promise<{ volumes: string[]; branches: Set<string> }>
  /** Plans the moves, inside the transaction that deletes the project. */
  plan(
    tx: Store,
    projectId: number,
    found: { volumes: string[]; branches: Set<string> },
    cause: TrashCause,
  ): Promise<void>
  /** Completes the planned moves. */
  settle(projectId: number): Promise<void>
}

export function createProjectData(deps: {
  store: Store
  trash: Trash
  trashFolders: TrashFolders
  locks: Locks
}): ProjectData {
  const { store, trash, trashFolders, locks } = deps
  return {
    async read(projectId) {
      const volumes: string[] = []
      for (const volume of await trashFolders.volumesOf(projectId)) {
        if (await trashFolders.hasFiles(volume)) volumes.push(volume)
      }
      const rows = await store.environments.list(projectId)
      // A person may have restored the data of a branch that was never deployed in this project.
      const filter = { projectId, kind: 'data_restored', limit: 1000 } as const
      const restored = await store.audit.list(filter)
      const names = [...rows, ...restored].flatMap(({ branch }) => branch ?? [])
      return { volumes, branches: new Set(names) }
    },

    plan: (tx, projectId, found, cause) => trash.planProject(tx, { projectId, ...found }, cause),

    async settle(projectId) {
      const entries = await store.trash.list({ projectId })
      const branches = new Set(
        entries.filter(({ state }) => state !== 'kept').map(({ branch }) => branch),
      )
      for (const branch of branches) {
        const subject = { projectId, branch }
        await locks.run(branchLock(subject), () => trash.settle(subject))
      }
      const volumes = await trashFolders.volumesOf(projectId)
      for (const volume of volumes) await trashFolders.removeIfEmpty(volume)
      await trashFolders.removeIfEmpty(String(projectId))
    },
  }
}
