import { type Disk, hasCode, isDiskError } from './disk.ts'

/** Removes a folder and all in it, or a file, or nothing where nothing is; symlinks are not followed. */
export function removeTree(disk: Disk, path: string): void {
  const entry = disk.look(path)
  if (entry === undefined) return
  if (entry.kind === 'folder') {
    for (const name of disk.list(path)) removeTree(disk, `${path}/${name}`)
    disk.removeFolder(path)
  } else {
    disk.removeFile(path)
  }
}

/**
 * Removes what the operating system lets go. For leftovers that a later run finds and removes
 * anyway, so that a second failure does not hide the first.
 */
export function tryRemove(remove: () => void): void {
  try {
    remove()
  } catch (error) {
    if (!isDiskError(error)) throw error
  }
}

/** Removes a folder if it is there and empty; true if it is not there afterwards. */
export function removeIfEmpty(disk: Disk, folder: string): boolean {
  try {
    disk.removeFolder(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true
    // An empty folder that must stay is no reason to fail a change.
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM')) return false
    throw error
  }
}
