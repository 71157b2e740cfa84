import { mkdir, readdir, readFile, rename, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { type TrashEntry, trashReasons } from '../../domain/records.ts'
import { isAbsent, syncPath, writeDurably } from '../../durable-files.ts'
import type { AppTrees } from '../../ports.ts'

/**
 * The folders of the trash: `trash/<id>/data` holds the data, and `trash/<id>/entry.json` describes it, so that the
 * trash survives a restore of an older database.
 */
export interface TrashFolders {
  /** Moves a volume into the trash. The caller checks that the volume has files. Atomic and durable. */
  moveIn(entry: TrashEntry): Promise<void>
  /** Moves the data into a volume, which must be absent or empty. Atomic and durable. */
  moveOut(id: number, volume: string): Promise<void>
  hasData(id: number): Promise<boolean>
  sizeOf(id: number): Promise<number | null>
  /** Removes an entry. A kill during the removal leaves a folder that `removeLeftovers` removes. */
  remove(id: number): Promise<void>
  /** Lists the entries on the disk with their descriptions; undefined if the description is missing or damaged. */
  list(): Promise<{ id: number; entry: TrashEntry | undefined }[]>
  removeLeftovers(): Promise<void>
  /** Returns true if a volume exists and has files. */
  hasFiles(volume: string): Promise<boolean>
  /** Lists the volumes of a project. */
  volumesOf(projectId: number): Promise<string[]>
  /** Removes the folder of a volume, or of all volumes of a project, if it is empty. */
  removeIfEmpty(volumes: string): Promise<void>
}

const entrySchema: z.ZodType<TrashEntry> = z.object({
  id: z.int().positive(),
  projectId: z.int().positive(),
  project: z.string(),
  source: z.string(),
  branch: z.string(),
  volume: z.string().regex(/^\d+\/[^/]+$/),
  state: z.enum(['moving', 'kept', 'purging']),
  sizeBytes: z.number().nullable(),
  trashedAt: z.number(),
  expiresAt: z.number(),
  operator: z.string(),
  reason: z.enum(trashReasons),
})

export function createTrashFolders({
  dataDir,
  trees,
}: {
  dataDir: string
  trees: AppTrees
}): TrashFolders {
  const trash = join(dataDir, 'trash')
  const volumes = join(dataDir, 'volumes')
  const folderOf = (id: number) => join(trash, String(id))
  const dataOf = (id: number) => join(folderOf(id), 'data')
  const leftoverSuffix = '.removed'

  async function move(from: string, to: string): Promise<void> {
    await rename(from, to)
    await syncPath(dirname(to))
    await syncPath(dirname(from))
  }

  async function describedBy(id: number): Promise<TrashEntry | undefined> {
    try {
      const text = await readFile(join(folderOf(id), 'entry.json'), 'utf8')
      return { ...entrySchema.parse(JSON.parse(text)), id }
    } catch {
      return undefined
    }
  }

  return {
    async moveIn(entry) {
      // The mode keeps other users out, whatever the modes inside the volume are.
      await mkdir(folderOf(entry.id), { recursive: true, mode: 0o700 })
      await writeDurably(join(folderOf(entry.id), 'entry.json'), JSON.stringify(entry))
      await syncPath(trash)
      await move(join(volumes, entry.volume), dataOf(entry.id))
    },

    async moveOut(id, volume) {
      const target = join(volumes, volume)
      await mkdir(dirname(target), { recursive: true })
      await move(dataOf(id), target)
      await trees.remove(folderOf(id))
    },

    hasData: async (id) => (await namesIn(folderOf(id))).includes('data'),

    sizeOf: async (id) => (await trees.sizeOf(dataOf(id))) ?? null,

    async remove(id) {
      const leftover = `${folderOf(id)}${leftoverSuffix}`
      await trees.remove(leftover)
      await rename(folderOf(id), leftover).catch(ignoreAbsent)
      await trees.remove(leftover)
    },

    async list() {
      const ids = (await namesIn(trash)).filter((name) => /^[1-9]\d{0,14}$/.test(name)).map(Number)
      return Promise.all(ids.map(async (id) => ({ id, entry: await describedBy(id) })))
    },

    async removeLeftovers() {
      for (const name of await namesIn(trash)) {
        if (name.endsWith(leftoverSuffix)) await trees.remove(join(trash, name))
      }
    },

    hasFiles: async (volume) => (await namesIn(join(volumes, volume))).length > 0,

    volumesOf: async (projectId) =>
      (await namesIn(join(volumes, String(projectId)))).map((name) => `${projectId}/${name}`),

    async removeIfEmpty(name) {
      await rmdir(join(volumes, name)).catch(ignoreUsed)
    },
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error
}

function ignoreUsed(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOTEMPTY' && code !== 'ENOTDIR') ignoreAbsent(error)
}
