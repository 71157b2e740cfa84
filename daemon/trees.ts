import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lchownSync,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { DaemonError } from './errors.ts'
import { openFolder } from './open-folder.ts'

/**
 * Operations of root on folders that another user may change meanwhile. Each path is one name below an open folder
 * (`/proc/self/fd/<n>/<name>`), so that no symlink leads out of the tree.
 */

interface User {
  readonly uid: number
  readonly gid: number
}

/** Number of files handled before yielding to the event loop. */
const batchSize = 200
/** Each level keeps one folder open. */
const maxDepth = 200

/**
 * Gives a folder with all its files to a user, and closes the folder to others. No-op if the user has the folder
 * already: the folder itself is handed over last. Files with hard links outside the folder keep their owner. With `from`,
 * only files of the user `from` change their owner, and the folder itself does not. Throws `unprocessable` for a path that is
 * no folder.
 */
export async function ownTree(
  folder: string,
  { uid, gid }: User,
  { from }: { from?: number } = {},
): Promise<void> {
  const top = openTop(folder)
  const links = new Map<number, { found: number; paths: number }>()
  const pause = createPauses()

  async function walk(parent: number, depth: number): Promise<void> {
    if (depth > maxDepth) {
      throw new DaemonError('unprocessable', `${folder} has more than ${maxDepth} nested folders`)
    }
    for (const name of namesIn(parent)) {
      await pause()
      const path = pathIn(parent, name)
      const stats = lstatSync(path)
      if (stats.isDirectory()) await withFolder(path, (child) => walk(child, depth + 1))
      if (mayChange(stats)) lchownSync(path, uid, gid)
    }
  }

  /** A hard link from outside could be another user's file: its owner changes only with the last of its links. */
  function mayChange(stats: Stats): boolean {
    if (from !== undefined && stats.uid !== from) return false
    if (stats.isBlockDevice() || stats.isCharacterDevice()) return false
    if (stats.isDirectory() || stats.nlink === 1) return true
    const found = (links.get(stats.ino)?.found ?? 0) + 1
    links.set(stats.ino, { found, paths: stats.nlink })
    return found === stats.nlink
  }

  try {
    if (from !== undefined) {
      const isOf = (name: string) => lstatSync(pathIn(top, name)).uid === from
      if (namesIn(top).some(isOf)) await walk(top, 1)
      return
    }
    if (fstatSync(top).uid === uid) return
    fchmodSync(top, 0o700)
    await walk(top, 1)
    fchownSync(top, uid, gid)
  } finally {
    closeSync(top)
  }
}

/**
 * Creates a symlink in a folder. `target` gets the real path of the folder and returns the target, or undefined for no
 * link. No-op if the name exists.
 */
export function linkInside(
  folder: string,
  name: string,
  target: (realFolder: string) => string | undefined,
): void {
  const isLinux = process.platform === 'linux'
  const open = openFolder(folder)
  try {
    const place = isLinux ? `/proc/self/fd/${open}` : folder
    const text = target(realpathSync(place))
    if (text !== undefined) symlinkSync(text, `${place}/${name}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(open)
  }
}

/** Removes a file or a folder with all its files. No-op if the path does not exist. */
export async function removeTree(path: string): Promise<void> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) {
    return rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return rm(path, { force: true })
  const top = openTop(path)
  try {
    takeFolder(top)
    await removeContent(top)
  } finally {
    closeSync(top)
  }
  rmdirSync(path)
}

/** Moves the folders of the second level to the first before their parent's removal, so that depth has no limit. */
async function removeContent(top: number): Promise<void> {
  const pause = createPauses()
  let moved = 0
  for (let names = namesIn(top); names.length > 0; names = namesIn(top)) {
    for (const name of names) {
      await pause()
      const path = pathIn(top, name)
      if (!lstatSync(path).isDirectory()) {
        unlinkSync(path)
        continue
      }
      await withFolder(path, async (folder) => {
        takeFolder(folder)
        for (const inner of namesIn(folder)) {
          await pause()
          const child = pathIn(folder, inner)
          if (!lstatSync(child).isDirectory()) unlinkSync(child)
          else
            renameSync(
              child,
              freePath(top, () => `${process.pid}.${moved++}`),
            )
        }
      })
      rmdirSync(path)
    }
  }
}

/** Keeps the owner of the folder from adding files during the removal. */
function takeFolder(folder: number): void {
  fchownSync(folder, 0, 0)
  fchmodSync(folder, 0o700)
}

function freePath(folder: number, nextName: () => string): Buffer {
  for (;;) {
    const path = pathIn(folder, nextName())
    if (!lstatSync(path, { throwIfNoEntry: false })) return path
  }
}

function openTop(path: string): number {
  try {
    return openFolder(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error
    throw new DaemonError('unprocessable', `${path} is no folder`, { cause: error })
  }
}

async function withFolder(path: Buffer, use: (folder: number) => Promise<void>): Promise<void> {
  const folder = openFolder(path)
  try {
    await use(folder)
  } finally {
    closeSync(folder)
  }
}

/** Names are bytes: Latin-1 keeps each byte, also of names that are no UTF-8. */
function namesIn(folder: number): string[] {
  return readdirSync(`/proc/self/fd/${folder}`, 'latin1' as BufferEncoding)
}

function pathIn(folder: number, name: string): Buffer {
  return Buffer.from(`/proc/self/fd/${folder}/${name}`, 'latin1')
}

function createPauses(): () => Promise<void> {
  let handled = 0
  return async () => {
    handled += 1
    if (handled % batchSize === 0) await new Promise(setImmediate)
  }
}
