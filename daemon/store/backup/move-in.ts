import { copyFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAbsent, syncPath } from '../../durable-files.ts'
import { databaseName } from './manifest.ts'
import { namesIn } from './paths.ts'

type Reached = (step: string) => void | Promise<void>

/**
 * Moves what is there out, into `replaced`, and what is staged in. A staged file that is still there says that the file
 * in its place is the old one, so that each step can be repeated after a kill: nothing new is moved out. The key comes
 * first and the database last, when its old log is gone for sure.
 */
export async function moveIn({
  staged,
  replaced,
  databaseFile,
  key,
  reached,
}: {
  staged: string
  replaced: string
  databaseFile: string
  key: { name: string; file: string; isTaken: boolean }
  reached: Reached
}): Promise<void> {
  const isStaged = async (name: string) => (await namesIn(staged)).includes(name)

  if (await isStaged(databaseName)) {
    // The log before its database: it means nothing without it, and must not meet another one.
    for (const suffix of ['-wal', '-shm', '-journal', '']) {
      const from = `${databaseFile}${suffix}`
      await moveOut(from, join(replaced, basename(from)), reached)
      await reached(`moved-out:database${suffix}`)
    }
  }
  if (key.isTaken && (await isStaged(key.name))) {
    for (const suffix of ['.next', '']) {
      const from = `${key.file}${suffix}`
      await moveOut(from, join(replaced, basename(from)), reached)
      await reached(`moved-out:key${suffix}`)
    }
    await move(join(staged, key.name), key.file, reached)
    await reached('moved-in:key')
  }
  if (!key.isTaken) await copyKey(key.file, replaced)
  if (await isStaged(databaseName)) {
    await move(join(staged, databaseName), databaseFile, reached)
    await reached('moved-in:database')
  }
}

/**
 * Once something is kept under the name, what is there still, or again, is a copy: of the old one or, on another disk,
 * of the staged one.
 */
async function moveOut(from: string, to: string, reached: Reached): Promise<void> {
  if ((await namesIn(dirname(to))).includes(basename(to))) await rm(from, { force: true })
  else await move(from, to, reached)
}

/** Renames durably, or copies where the other folder is on another disk. Nothing to move is nothing to do. */
async function move(from: string, to: string, reached: Reached): Promise<void> {
  // Asked first: between two disks a rename of nothing fails as one of something does.
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
    await reached(`copied:${basename(from)}`)
    await rm(from)
  }
  await syncPath(dirname(to))
  await syncPath(dirname(from))
}

/** The key stays in place; the database that goes is of no use without it either. */
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
