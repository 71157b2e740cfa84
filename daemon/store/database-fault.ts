import { DaemonError, type DaemonErrorKind } from '../errors.ts'

/** SQLite's own words for what a person can do something about; the library gives codes for some calls only. */
const faults: readonly (readonly [string, DaemonErrorKind, string])[] = [
  ['UNIQUE constraint failed', 'conflict', 'there is one of this already'],
  [
    'FOREIGN KEY constraint failed',
    'conflict',
    'it refers to something that is not there, or something refers to it',
  ],
  [
    'database is locked',
    'unavailable',
    'another program holds the database: close it and try again',
  ],
  ['database or disk is full', 'unavailable', 'the disk under the database is full'],
  ['disk I/O error', 'internal', 'the disk under the database fails to read or write'],
  [
    'attempt to write a readonly database',
    'internal',
    'the database can only be read: check its permissions and those of its folder',
  ],
  [
    'unable to open database file',
    'internal',
    'the database file could not be opened: check its folder and permissions',
  ],
  [
    'database disk image is malformed',
    'internal',
    'the database is damaged: put a backup in its place',
  ],
  [
    'file is not a database',
    'internal',
    'the database file holds something else: put a backup in its place',
  ],
]

/** What a caller meets for an error of the library; errors that only a bug can cause come back as they are. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DaemonError) return error
  const known = faults.find(([words]) => error.message.includes(words))
  return known ? new DaemonError(known[1], known[2], { cause: error }) : error
}
