import { copyFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAbsent, syncPath } from '../../durable-files.ts'
import { databaseName } from './manifest.ts'
import { namesIn } from './paths.ts'

type Failpoint = (name: string) => void | Promise<void>

/**
 * Moves the current files into `replaced` and the staged files to their place. Idempotent after a kill: as long as a file
 * is staged, the file in its place is the old one. Moves the database last, after its old log is gone.
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
    // Moves the log before its database: another database must never find it.
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

/** Moves a file out, or removes it if `to` exists: then it is a copy that a killed run left. */
async function moveOut(from: string, to: string, failpoint: Failpoint): Promise<void> {
  if ((await namesIn(dirname(to))).includes(basename(to))) await rm(from, { force: true })
  else await move(from, to, failpoint)
}

/** Renames a file durably, or copies it across disks. No-op if the source is missing. */
async function move(from: string, to: string, failpoint: Failpoint): Promise<void> {
  // Checked first, because across disks a rename fails the same way with and without a source.
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

/** Copies the key that stays in place, because the replaced database needs it too. */
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
