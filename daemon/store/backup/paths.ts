import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isAbsent } from '../../durable-files.ts'

/** Paths of backups and restores under the data folder. */
export interface BackupPaths {
  readonly backups: string
  readonly restore: string
  /** The restore that the next start applies. */
  readonly staged: string
  /** The previously staged restore, while a new one replaces it. */
  readonly stagedBefore: string
  /** Journal file: exists while a restore moves files. Such a restore must be completed. */
  readonly journal: string
}

export function backupPaths(dataDir: string): BackupPaths {
  const restore = join(dataDir, 'restore')
  return {
    backups: join(dataDir, 'backups'),
    restore,
    staged: join(restore, 'staged'),
    stagedBefore: join(restore, 'staged.before'),
    journal: join(restore, 'applying.json'),
  }
}

/** Suffix of incomplete files and folders. */
export const partial = '.partial'

/** Removes incomplete files of a killed process. Call while no backup or upload runs. */
export async function clearLeftovers(dataDir: string): Promise<void> {
  const paths = backupPaths(dataDir)
  const names = await namesIn(paths.restore)
  if (names.includes('staged.before') && !names.includes('staged')) {
    await rename(paths.stagedBefore, paths.staged)
  }
  await rm(paths.stagedBefore, { recursive: true, force: true })
  for (const folder of [paths.restore, paths.backups]) {
    for (const name of await namesIn(folder)) {
      if (name.endsWith(partial)) await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Returns the sorted names in a folder; an empty list if the folder is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** Formats a time for a file name, such as `2026-01-31T12-00-00-000Z`. Names sort by time. */
export function timeName(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[:.]/g, '-')
}

/** Returns the SHA-256 of a file in hex and its size. */
export async function digestFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  await pipeline(source, hash)
  return { sha256: hash.digest('hex'), bytes: source.bytesRead }
}
