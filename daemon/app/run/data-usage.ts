import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { DaemonError } from '../../errors.ts'
import type { Fleet, TrashStore } from '../../ports.ts'

/** The measured size of each project's data folders, and of its data in the trash. */
export interface DataUsage {
  /** Returns the bytes of the last measurement; undefined before the first one. */
  bytesOf(projectId: number): number | undefined
  /** Returns the limit in bytes; null: no limit. */
  readonly quotaBytes: number | null
  /** Measures a project. Returns an error with the figures if its data exceeds the quota. */
  measure(projectId: number): Promise<DaemonError | undefined>
  /** Throws `unprocessable` if the data exceeds the quota. Measures again only if it did the last time. */
  require(projectId: number): Promise<void>
  /** Forgets the projects that no longer exist. */
  keepOnly(projectIds: ReadonlySet<number>): void
}

const mib = 2 ** 20
/** Files and folders of one measurement. The sum of a project with more is a lower bound. */
const maxEntries = 200_000
const maxDepth = 100

export function createDataUsage({
  dataDir,
  quotaMb,
  trash,
  fleet,
}: {
  dataDir: string
  quotaMb: number | null
  trash: Pick<TrashStore, 'list'>
  fleet: Pick<Fleet, 'dataBytes'>
}): DataUsage {
  const sizes = new Map<number, number>()
  const quotaBytes = quotaMb === null ? null : quotaMb * mib

  function excessOf(projectId: number): DaemonError | undefined {
    const bytes = sizes.get(projectId) ?? 0
    if (quotaBytes === null || bytes <= quotaBytes) return undefined
    return new DaemonError(
      'unprocessable',
      `the data of the project takes ${Math.ceil(bytes / mib)} MiB, and SERVICE_DATA_QUOTA_MB allows ${quotaMb}: remove data of a branch, also from the trash (strata trash list), or ask the operator to raise the quota`,
    )
  }

  async function measure(projectId: number): Promise<DaemonError | undefined> {
    const volumes = await allocatedBytes(join(dataDir, 'volumes', String(projectId)))
    // Otherwise branches that are made, filled and destroyed in turn would pass the quota.
    const trashed = await trash.list({ projectId })
    const atHome = trashed.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), volumes)
    sizes.set(projectId, atHome + (await fleet.dataBytes(projectId)))
    return excessOf(projectId)
  }

  return {
    bytesOf: (projectId) => sizes.get(projectId),
    quotaBytes,
    measure,
    async require(projectId) {
      if (!excessOf(projectId)) return
      const error = await measure(projectId)
      if (error) throw error
    },
    keepOnly(projectIds) {
      for (const id of sizes.keys()) if (!projectIds.has(id)) sizes.delete(id)
    },
  }
}

/** Returns the disk space of a tree. Follows no links. Skips what disappears or can't be read meanwhile. */
async function allocatedBytes(root: string): Promise<number> {
  const waiting = [{ folder: root, depth: 0 }]
  let bytes = 0
  let entries = 0
  for (let next = waiting.pop(); next && entries < maxEntries; next = waiting.pop()) {
    const { folder, depth } = next
    const isFolder = await lstat(folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
    const names = isFolder ? await opendir(folder).catch(() => undefined) : undefined
    if (!names) continue
    try {
      for await (const entry of names) {
        entries += 1
        if (entries > maxEntries) break
        const path = join(folder, entry.name)
        if (entry.isDirectory() && depth < maxDepth)
          waiting.push({ folder: path, depth: depth + 1 })
        else
          bytes += await lstat(path).then(
            ({ blocks }) => blocks * 512,
            () => 0,
          )
      }
    } catch {
      // The app removed the folder meanwhile.
    }
  }
  return bytes
}
