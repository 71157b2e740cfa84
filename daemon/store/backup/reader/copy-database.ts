import { constants, lstatSync, openSync, readSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants
const magic = Buffer.from('SQLite format 3\0')

/** Files that SQLite keeps beside a database. Their content is in the copy of the database. */
export const companions = ['-wal', '-shm', '-journal'] as const

/** Number of pages (4 KiB in most databases) to copy between two calls of `busy`. */
const rate = 5_000

/** Place of the copies of databases. */
export interface Snapshots {
  /** Absolute path of an empty folder. */
  readonly folder: string
  /** Disk space that a copy leaves free, in bytes. */
  readonly reserveBytes: number
}

/** Returns true if an open file begins with the header of SQLite. */
export function isDatabase(file: number): boolean {
  const header = Buffer.alloc(magic.length)
  return readSync(file, header, 0, header.length, 0) === header.length && header.equals(magic)
}

/**
 * Copies a database through SQLite into the folder of `snapshots`, and returns the opened copy, which has no name any more.
 * The copy has the content of the write-ahead log. Reads no schema, and executes nothing of it. Throws Error with the
 * reason if SQLite can't read the database or the disk is too small.
 */
export async function copyDatabase(
  path: string,
  snapshots: Snapshots,
  busy: () => void,
): Promise<number> {
  refuseOddCompanions(path)
  refuseIfTooLarge(path, snapshots)
  const target = join(snapshots.folder, 'copy')
  const remove = () => {
    for (const suffix of ['', ...companions]) rmSync(`${target}${suffix}`, { force: true })
  }
  remove()
  try {
    const source = openForReading(path)
    try {
      await backup(source, target, { rate, progress: busy })
    } finally {
      source.close()
    }
    return openSync(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } finally {
    remove()
  }
}

/**
 * Opens a database in a read transaction, which keeps the copy consistent. A database with a hot journal can't be read
 * before a writer has rolled it back: open it for writing then, as its application would.
 */
function openForReading(path: string): DatabaseSyncInstance {
  try {
    return beginRead(path, true)
  } catch {
    return beginRead(path, false)
  }
}

function beginRead(path: string, readOnly: boolean): DatabaseSyncInstance {
  const database = new DatabaseSync(path, { readOnly, timeout: 10_000 })
  try {
    database.enableDefensive(true)
    database.exec('PRAGMA trusted_schema = OFF; BEGIN')
    // Reads the header alone: a query of a table would parse the schema.
    database.prepare('PRAGMA schema_version').all()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite would open a link beside the database, and create or change the link's target. */
function refuseOddCompanions(path: string): void {
  for (const suffix of companions) {
    const stats = lstatSync(`${path}${suffix}`, { throwIfNoEntry: false })
    if (stats && !stats.isFile()) throw new Error(`its ${suffix} file is not a regular file`)
  }
}

function refuseIfTooLarge(path: string, { folder, reserveBytes }: Snapshots): void {
  const size = (name: string) => lstatSync(name, { throwIfNoEntry: false })?.size ?? 0
  const { bavail, bsize } = statfsSync(folder)
  const needed = size(path) + size(`${path}-wal`) + reserveBytes
  if (bavail * bsize >= needed) return
  const missing = Math.ceil((needed - bavail * bsize) / 2 ** 20)
  throw new DiskTooSmall(`a copy of the database needs ${missing} MiB more free disk space`)
}

/** The database is readable, but its copy does not fit on the disk. */
export class DiskTooSmall extends Error {}
