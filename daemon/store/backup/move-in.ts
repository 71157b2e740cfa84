import { copyFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAbsent, syncPath } from '../../durable-files.ts'
import { databaseName } from './manifest.ts'
import { namesIn } from './paths.ts'

type Failpoint = (name: string) => void | Promise<void>

/**
 * Moves the current files into `replaced` and the staged files to their final paths. Idempotent after a kill: while a
 * file is staged, its final path has the old file. Moves the database last, after its old write-ahead log.
 */
export async function moveIn({
  staged,
  replaced,
  databaseFile,
  key,
  failpoint,
}: {
  staged: string
  replaced: string
  databaseFile: string
  key: { name: string; file: string; isRestored: boolean }
  failpoint: Failpoint
}): Promise<void> {
  const isStaged = async (name: string) => (await namesIn(staged)).includes(name)

  if (await isStaged(databaseName)) {
    // Move the write-ahead log before its database: SQLite must never apply the log to another database.
    for (const suffix of ['-wal', '-shm', '-journal', '']) {
      const from = `${databaseFile}${suffix}`
      await moveOut(from, join(replaced, basename(from)), failpoint)
      await failpoint(`moved-out:database${suffix}`)
    }
  }
  if (key.isRestored && (await isStaged(key.name))) {
    for (const suffix of ['.next', '']) {
      const from = `${key.file}${suffix}`
      await moveOut(from, join(replaced, basename(from)), failpoint)
      await failpoint(`moved-out:key${suffix}`)
    }
    await move(join(staged, key.name), key.file, failpoint)
    await failpoint('moved-in:key')
  }
  if (!key.isRestored) await copyKey(key.file, replaced)
  if (await isStaged(databaseName)) {
    await move(join(staged, databaseName), databaseFile, failpoint)
    await failpoint('moved-in:database')
  }
}

/** Moves a file away. Removes the file if `to` exists: a killed run has copied it already. */
async function moveOut(from: string, to: string, failpoint: Failpoint): Promise<void> {
  if ((await namesIn(dirname(to))).includes(basename(to))) await rm(from, { force: true })
  else await move(from, to, failpoint)
}

/** Renames a file durably, or copies it across disks. No-op if the source is missing. */
async function move(from: string, to: string, failpoint: Failpoint): Promise<void> {
  // Check for the source first: across disks a rename fails in the same way without a source.
  if (!(await namesIn(dirname(from))).includes(basename(from))) return
  try {
    await rename(from, to)
  } catch (error) {
    if (!isOtherDisk(error)) throw error
    const part = `${to}.part`
    await copyFile(from, part)
    await syncPath(part)
    await rename(part, to)
    await syncPath(dirname(to))
    await failpoint(`copied:${basename(from)}`)
    await rm(from)
  }
  await syncPath(dirname(to))
  await syncPath(dirname(from))
}

/** Copies the key, which stays in place, because the replaced database requires the key too. */
async function copyKey(file: string, replaced: string): Promise<void> {
  try {
    await copyFile(file, join(replaced, basename(file)))
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

function isOtherDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV'
}
