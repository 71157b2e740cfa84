import { type Disk, hasCode, isDiskError } from './disk.ts'

/** Removes a file or a folder with its content. No-op if the path is missing. Does not follow symlinks. */
export function removeTree(disk: Disk, path: string): void {
  const entry = disk.stat(path)
  if (entry === undefined) return
  if (entry.kind === 'folder') {
    for (const name of disk.list(path)) removeTree(disk, `${path}/${name}`)
    disk.removeFolder(path)
  } else {
    disk.removeFile(path)
  }
}

/**
 * Runs a removal and ignores errors of the operating system, so that they don't hide an earlier error.
 * Only for leftovers that a later run removes.
 */
export function tryRemove(remove: () => void): void {
  try {
    remove()
  } catch (error) {
    if (!isDiskError(error)) throw error
  }
}

/** Removes an empty folder. Returns true if the folder no longer exists. */
export function removeIfEmpty(disk: Disk, folder: string): boolean {
  try {
    disk.removeFolder(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true
    // A change must not fail because an empty folder can't be removed.
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM')) return false
    throw error
  }
}
