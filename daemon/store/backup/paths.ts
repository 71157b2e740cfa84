import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isAbsent } from '../../durable-files.ts'

/** Where backups and restores keep what they have, under the data folder. */
export interface BackupPaths {
  readonly backups: string
  readonly restore: string
  /** The restore that the next start applies. */
  readonly staged: string
  /** The one it was staged in place of, for as long as that takes. */
  readonly stagedBefore: string
  /** Says that a restore has begun to move files, and so must be brought to its end. */
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

/** Ends the names of what is not whole yet. */
export const partial = '.partial'

/** Removes what a killed process left half done. To be called while nothing is being made. */
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

/** Names in a folder, sorted; none for one that is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}

/** As part of a file's name: `2026-01-31T12-00-00-000Z`; sorts by time. */
export function timeName(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[:.]/g, '-')
}

/** SHA-256 of a file, hex, and its size. */
export async function digestFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  await pipeline(source, hash)
  return { sha256: hash.digest('hex'), bytes: source.bytesRead }
}
