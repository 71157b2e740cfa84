import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Node } from '../../domain/records.ts'
import type { Fleet, Store } from '../../ports.ts'
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
  cells: AppDeps['cells']
  store: Pick<Store, 'nodes' | 'environments'>
  fleet: Pick<Fleet, 'keepsData' | 'snapshotData'>
}): SqliteCopies {
  const { dataDir, folders, trashFolders, diskReserve, copyDatabases, store, fleet } = deps
  const volumes = join(dataDir, 'volumes')

  /** Returns the node that keeps the data of a branch; undefined: the data folder keeps it. */
  async function nodeOf(projectId: number, branch: string): Promise<Node | undefined> {
    const live = await store.environments.findLive(projectId, branch)
    const node = live && (await store.nodes.find(live.nodeId))
    return node && fleet.keepsData(node) ? node : undefined
  }

  return {
    async provide({ project, branch, launch, signal, say }) {
      const { defaultBranch, id } = project
      const isWished = launch.store?.kind === 'sqlite' && launch.store.data === 'copy'
      if (!isWished || defaultBranch === null || defaultBranch === branch) return
      const target = folders.volumeName(id, branch)
      if ((await trashFolders.hasFiles(target)) || (await nodeOf(id, branch))) return
      const source = folders.volumeName(id, defaultBranch)
      const node = await nodeOf(id, defaultBranch)
      const beginsEmpty = () => say(`${defaultBranch} has no data to copy: ${branch} begins empty`)
      if (!copyDatabases || (!node && !(await trashFolders.hasFiles(source)))) return beginsEmpty()
      // The trash is on the disk of the volumes, and removes what a kill leaves under this name.
      const into = join(dataDir, 'trash', `copy-${deps.ids()}.removed`)
      const fetched = join(dataDir, 'trash', `node-${deps.ids()}.removed`)
      await mkdir(dirname(into), { recursive: true, mode: 0o700 })
      try {
        const count = await diskReserve.guard(signal, async (guarded) => {
          if (!node) return copyDatabases({ volumes, volume: source, into, signal: guarded })
          const data = { projectId: id, folder: await folders.volume(id, defaultBranch) }
          await mkdir(join(fetched, String(id)), { recursive: true, mode: 0o700 })
          await fleet.snapshotData(data, node, join(fetched, source), guarded)
          if (!(await hasFolder(join(fetched, source)))) return 0
          return copyDatabases({ volumes: fetched, volume: source, into, signal: guarded })
        })
        if (count === 0) return beginsEmpty()
        await folders.volume(id, branch)
        await rename(into, join(volumes, target))
        await (await deps.cells.cell(id)).own(join(volumes, target))
        say(`copied ${count} SQLite ${count === 1 ? 'database' : 'databases'} of ${defaultBranch}`)
      } finally {
        await rm(into, { recursive: true, force: true })
        await rm(fetched, { recursive: true, force: true })
      }
    },
  }
}

async function hasFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}
