import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AppDeps } from '../ground/deps.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import type { ProvideRequest } from './branch-databases.ts'
import type { ReleaseFolders } from './release-folders.ts'
import type { TrashFolders } from './trash-folders.ts'

/** Gives the volume of a new preview copies of the default branch's SQLite databases. */
export interface SqliteCopies {
  /** No-op unless the app wishes a copy and the volume of the branch is empty. A kill leaves an empty volume. */
  provide(request: ProvideRequest): Promise<void>
}

export function createSqliteCopies(deps: {
  dataDir: string
  ids: () => string
  folders: Pick<ReleaseFolders, 'volumeName' | 'volume'>
  trashFolders: Pick<TrashFolders, 'hasFiles'>
  diskReserve: Pick<DiskReserve, 'guard'>
  copyDatabases: AppDeps['copyDatabases']
}): SqliteCopies {
  const { dataDir, folders, trashFolders, diskReserve, copyDatabases } = deps
  const volumes = join(dataDir, 'volumes')

  return {
    async provide({ project, branch, launch, signal, say }) {
      const { defaultBranch, id } = project
      const isWished = launch.store?.kind === 'sqlite' && launch.store.data === 'copy'
      if (!isWished || defaultBranch === null || defaultBranch === branch) return
      const target = folders.volumeName(id, branch)
      if (await trashFolders.hasFiles(target)) return
      const source = folders.volumeName(id, defaultBranch)
      if (!copyDatabases || !(await trashFolders.hasFiles(source))) {
        say(`${defaultBranch} has no data to copy: ${branch} begins empty`)
        return
      }
      // The trash is on the disk of the volumes, and removes what a kill leaves under this name.
      const into = join(dataDir, 'trash', `copy-${deps.ids()}.removed`)
      await mkdir(dirname(into), { recursive: true, mode: 0o700 })
      try {
        const count = await diskReserve.guard(signal, (guarded) =>
          copyDatabases({ volumes, volume: source, into, signal: guarded }),
        )
        await folders.volume(id, branch)
        await rename(into, join(volumes, target))
        say(`copied ${count} SQLite ${count === 1 ? 'database' : 'databases'} of ${defaultBranch}`)
      } finally {
        await rm(into, { recursive: true, force: true })
      }
    },
  }
}
