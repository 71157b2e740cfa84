import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { nodeVolumeSuffix, volumeOnNode } from '../../domain/node-volumes.ts'
import type { Environment, Node } from '../../domain/records.ts'
import { isAbsent } from '../../durable-files.ts'
import type { Fleet, Logger, Store, Walls } from '../../ports.ts'
import type { DiskReserve } from '../ground/disk-reserve.ts'
import type { DataMoves } from './data-moves.ts'
import type { ReleaseFolders } from './release-folders.ts'

/** The data that nodes keep, in backups of the daemon. */
export interface NodeData {
  /** Copies the data of nodes into a folder, one volume for each branch. Returns the branches without a copy, with reasons. */
  copyAll(folder: string): Promise<readonly { path: string; reason: string }[]>
  /** Looks for data that a restore brought. Call once, before `bringRestored`. */
  begin(): Promise<void>
  /**
   * Brings restored data to the nodes of their branches, and keeps what it replaces in the data folder. Data of a node that
   * does not respond stays for the next call. Idempotent.
   */
  bringRestored(): Promise<void>
}

export function createNodeData(deps: {
  store: Pick<Store, 'nodes' | 'environments'>
  fleet: Fleet
  folders: Pick<ReleaseFolders, 'volume' | 'volumeName'>
  diskReserve: Pick<DiskReserve, 'guard'>
  cells: Pick<Walls, 'cell'>
  dataMoves: Pick<DataMoves, 'load'>
  logger: Pick<Logger, 'info' | 'error'>
  dataDir: string
}): NodeData {
  const { store, fleet, folders, diskReserve, dataMoves, logger, dataDir } = deps
  const volumes = join(dataDir, 'volumes')
  /** False: no round needs to read the folders. */
  let hasRestored = false

  /** Returns the live environments whose data a node keeps, with the nodes. */
  async function onNodes(): Promise<{ row: Environment; node: Node }[]> {
    const nodes = (await store.nodes.list()).filter((node) => fleet.keepsData(node))
    const lists = await Promise.all(
      nodes.map(async (node) => {
        const rows = await store.environments.listLive({ nodeId: node.id })
        return rows.map((row) => ({ row, node }))
      }),
    )
    return lists.flat()
  }

  async function copyOne(row: Environment, node: Node, into: string): Promise<void> {
    const data = {
      projectId: row.projectId,
      folder: await folders.volume(row.projectId, row.branch),
    }
    await mkdir(join(into, '..'), { recursive: true, mode: 0o700 })
    await diskReserve.guard(new AbortController().signal, (signal) =>
      fleet.snapshotData(data, node, into, signal),
    )
  }

  /** Returns the folders of restored data that is not on its node yet. */
  async function restored(): Promise<{ projectId: number; volume: string; folder: string }[]> {
    const lists = await Promise.all(
      (await namesIn(volumes)).map(async (project) => {
        const names = await namesIn(join(volumes, project))
        return names.flatMap((name) => {
          const volume = volumeOnNode(name)
          const folder = join(volumes, project, name)
          return volume === undefined ? [] : [{ projectId: Number(project), volume, folder }]
        })
      }),
    )
    return lists.flat()
  }

  async function bringOne(
    { folder, volume, projectId }: { folder: string; volume: string; projectId: number },
    live: { row: Environment; node: Node } | undefined,
  ): Promise<void> {
    if (!live) {
      // The branch has no environment on a node any more: the data folder keeps its data.
      const target = join(volumes, String(projectId), volume)
      await rmdir(target).catch((error: unknown) => {
        if (!isAbsent(error)) throw error
      })
      await rename(folder, target)
      return
    }
    const { row, node } = live
    const kept = join(dataDir, 'replaced-node-data', `${projectId}-${volume}-${await idOf(folder)}`)
    if (!(await exists(kept))) {
      await rm(`${kept}.partial`, { recursive: true, force: true })
      await mkdir(`${kept}.partial`, { recursive: true, mode: 0o700 })
      await copyOne(row, node, join(`${kept}.partial`, 'data'))
      await rename(`${kept}.partial`, kept)
    }
    await (await deps.cells.cell(projectId)).own(folder)
    await dataMoves.load(row, folder, node)
    await rm(folder, { recursive: true, force: true })
    const fields = { projectId, branch: row.branch, node: node.name, replaced: basename(kept) }
    logger.info(fields, 'brought restored data to its node')
  }

  return {
    async copyAll(folder) {
      const faults: { path: string; reason: string }[] = []
      const pending = new Set((await restored()).map(({ folder }) => folder))
      for (const { row, node } of await onNodes()) {
        const name = `${folders.volumeName(row.projectId, row.branch)}${nodeVolumeSuffix}`
        // Restored data that waits for its node is the data of the branch.
        if (pending.has(join(volumes, name))) continue
        try {
          await copyOne(row, node, join(folder, name))
        } catch (error) {
          await rm(join(folder, name), { recursive: true, force: true })
          faults.push({
            path: name,
            reason: error instanceof Error ? error.message : String(error),
          })
        }
      }
      return faults
    },

    async begin() {
      hasRestored = (await restored()).length > 0
    },

    async bringRestored() {
      if (!hasRestored) return
      const waiting = await restored()
      hasRestored = waiting.length > 0
      const live = await onNodes()
      for (const one of waiting) {
        const name = `${one.projectId}/${one.volume}`
        try {
          await bringOne(
            one,
            live.find(({ row }) => folders.volumeName(row.projectId, row.branch) === name),
          )
        } catch (err) {
          const fields = { err, projectId: one.projectId, volume: one.volume }
          logger.error(
            fields,
            'could not bring restored data to its node: the next round tries again',
          )
        }
      }
    },
  }
}

/** Tells one restore from the next. */
async function idOf(folder: string): Promise<number> {
  return Math.round((await stat(folder)).ctimeMs)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  }
}
