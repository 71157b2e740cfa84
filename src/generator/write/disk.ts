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
 * The file-system operations the writer is made of, so that a test can fail or kill a run at each.
 * Synchronous: a run is some hundred small operations, and promises would double its time. Every
 * operation throws Node's own errno errors.
 */
export interface Disk {
  /** What lies at a path itself (a symlink is not followed), or undefined. */
  look(path: string): Entry | undefined
  read(path: string): Uint8Array
  list(folder: string): readonly string[]
  /** False where this user may not add or remove entries. */
  isWritable(folder: string): boolean
  /**
   * Creates a file; EEXIST if the path is taken. `mode` holds from the first byte and is not
   * narrowed by the umask; without it the umask decides. `durable` waits for the disk.
   */
  write(path: string, text: string, options?: WriteOptions): void
  makeFolder(path: string, mode?: number): void
  /** Makes the entries of a folder survive a power cut, where the system can. */
  syncFolder(path: string): void
  link(from: string, to: string): void
  rename(from: string, to: string): void
  removeFile(path: string): void
  /** ENOTEMPTY if anything is in it. */
  removeFolder(path: string): void
}

export interface WriteOptions {
  readonly mode?: number | undefined
  readonly durable?: boolean
}

export interface Entry {
  readonly kind: 'file' | 'folder' | 'symlink' | 'other'
  /** Permission bits, 0 to 0o7777. */
  readonly mode: number
  /** Number of the file system; renames do not cross it. */
  readonly device: number
}

export const nodeDisk: Disk = {
  look: (path) => {
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
      // Only where the umask took bits away: some file systems refuse chmod altogether.
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

/** An error of the operating system, as opposed to a bug or a StrataError. */
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
