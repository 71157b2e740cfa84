import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'

/**
 * The file-system operations of the writer. Tests replace them to fail or kill a run at each operation.
 * Synchronous, because promises would double the time of a run's hundreds of small operations. Every
 * operation throws Node's errno errors.
 */
export interface Disk {
  /** Returns the entry at a path, or `undefined` if the path is missing. Does not follow symlinks. */
  stat(path: string): Entry | undefined
  read(path: string): Uint8Array
  list(folder: string): readonly string[]
  /** Returns false if this user may not add or remove entries. */
  isWritable(folder: string): boolean
  /**
   * Creates a file; throws EEXIST if the path exists. `mode` applies from the first byte and overrides the
   * umask. `durable` flushes the file to the disk.
   */
  write(path: string, text: string, options?: WriteOptions): void
  makeFolder(path: string, mode?: number): void
  /** Flushes the entries of a folder, so that they survive a power cut. No-op if the system can't. */
  syncFolder(path: string): void
  link(from: string, to: string): void
  rename(from: string, to: string): void
  removeFile(path: string): void
  /** Throws ENOTEMPTY if the folder is not empty. */
  removeFolder(path: string): void
}

export interface WriteOptions {
  readonly mode?: number | undefined
  readonly durable?: boolean
}

export interface Entry {
  readonly kind: 'file' | 'folder' | 'symlink' | 'other'
  /** Permission bits, from 0 to 0o7777. */
  readonly mode: number
  /** Id of the file system. Renames can't cross file systems. */
  readonly device: number
}

export const nodeDisk: Disk = {
  stat: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats && { kind: kindOf(stats), mode: stats.mode & 0o7777, device: stats.dev }
  },
  read: (path) => readFileSync(path),
  list: (folder) => readdirSync(folder),
  isWritable: (folder) => {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK)
      return true
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      throw error
    }
  },
  write: (path, text, { mode, durable = false } = {}) => {
    const file = openSync(path, 'wx', mode ?? 0o666)
    try {
      // Calls chmod only if the umask removed bits, because some file systems refuse chmod.
      if (mode !== undefined && (fstatSync(file).mode & mode) !== mode) fchmodSync(file, mode)
      writeFileSync(file, text)
      if (durable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  makeFolder: (path, mode) => {
    mkdirSync(path, mode)
  },
  syncFolder: (path) => {
    try {
      const folder = openSync(path, 'r')
      try {
        fsyncSync(folder)
      } finally {
        closeSync(folder)
      }
    } catch (error) {
      // Windows and some network file systems have no fsync of a folder.
      if (!hasCode(error, 'EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EBADF')) throw error
    }
  },
  link: linkSync,
  rename: renameSync,
  removeFile: unlinkSync,
  removeFolder: rmdirSync,
}

/** Returns true for an error of the operating system, not for a bug or a StrataError. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isDiskError(error) && codes.includes(error.code)
}

function kindOf(stats: Stats): Entry['kind'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'symlink' : 'other'
}
