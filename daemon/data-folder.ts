import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { DaemonError } from './errors.ts'
import type { Logger } from './ports.ts'

/**
 * Creates the data folder with mode 0700. Removes other users' access to an existing one, unless the folder is shared
 * with other programs: then it only warns. Throws DaemonError if the folder can't be created.
 */
export function prepareDataFolder(path: string, logger: Pick<Logger, 'warn'>): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    const { mode, uid } = statSync(path)
    const permissions = mode & 0o777
    if ((permissions & 0o077) === 0) return
    const fields = { dataDir: path, mode: permissions.toString(8).padStart(4, '0') }
    if (uid === process.geteuid?.() && readdirSync(path).every(isOwnEntry)) {
      chmodSync(path, 0o700)
      logger.warn(fields, 'the data folder was open to other users: its mode is now 0700')
    } else {
      const advice = 'run chmod 700, or set SERVICE_DATA_DIR to a folder for stratad alone'
      logger.warn(fields, `the data folder is open to other users and has other files: ${advice}`)
    }
  } catch (error) {
    throw new DaemonError(
      'internal',
      `can't create the data folder ${path}: set SERVICE_DATA_DIR to a writable folder`,
      { cause: error },
    )
  }
}

/**
 * Throws DaemonError if an existing data folder can't be listed, written and entered, for example on a read-only disk.
 * Writes nothing.
 */
export function requireWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    if (code === 'ENOENT') return
    const reason = code === 'EROFS' ? 'its file system is read-only' : `${code}`
    throw new DaemonError(
      'internal',
      `the data folder ${path} can't be written (${reason}): make it writable for the daemon's user, or set SERVICE_DATA_DIR`,
      { cause },
    )
  }
}

/** Bytes that a new data folder needs at least: database, key and gateway. */
const newFolderBytes = 4 * 2 ** 20

/** Throws DaemonError if the disk of a data folder has no room for a new database. An existing one needs none. */
export function requireRoom(path: string): void {
  if (existsSync(join(path, 'strata.db'))) return
  const { bavail, bsize, blocks } = statfsSync(path)
  const freeBytes = bavail * bsize
  if (blocks === 0 || freeBytes >= newFolderBytes) return
  throw new DaemonError(
    'internal',
    `the disk of the data folder is full: ${path} has ${Math.floor(freeBytes / 1024)} KiB free, and a new data folder needs ${newFolderBytes / 1024} KiB: free some space, or set SERVICE_DATA_DIR`,
  )
}

/** Names that the daemon or `strata daemon` creates. A folder with other names, such as /var/lib, must keep its mode. */
function isOwnEntry(name: string): boolean {
  return /^(\.?(strata|stratad|daemon|master|api-token|webhook-secret|config\.env|settings|git|cache|logs|runtime|gateway|backups|restore|replaced|releases|volumes|cells|trash|usage|tmp)([-.].*)?|lost\+found)$/.test(
    name,
  )
}
