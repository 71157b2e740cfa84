import { DaemonError, type DaemonErrorKind } from '../errors.ts'

/** SQLite messages that users can act on. The library sets error codes for some calls only. */
const faults: readonly (readonly [string, DaemonErrorKind, string])[] = [
  ['UNIQUE constraint failed', 'conflict', 'this exists already'],
  [
    'FOREIGN KEY constraint failed',
    'conflict',
    'a reference is missing or would dangle: something it needs is gone, or something still needs it',
  ],
  [
    'database is locked',
    'unavailable',
    'another program has locked the database: close it and try again',
  ],
  ['database or disk is full', 'unavailable', 'the disk of the database is full: free some space'],
  [
    'disk I/O error',
    'internal',
    'the disk of the database fails to read or write: check its health',
  ],
  [
    'attempt to write a readonly database',
    'internal',
    'the database is read-only: check its permissions and those of its folder',
  ],
  [
    'unable to open database file',
    'internal',
    'the database file could not be opened: check its folder and permissions',
  ],
  ['database disk image is malformed', 'internal', 'the database is damaged: restore a backup'],
  ['file is not a database', 'internal', 'the database file is not a database: restore a backup'],
]

/** Converts a known SQLite error to a DaemonError. Returns other errors, which only a bug can cause, unchanged. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DaemonError) return error
  const known = faults.find(([text]) => error.message.includes(text))
  return known ? new DaemonError(known[1], known[2], { cause: error }) : error
}
