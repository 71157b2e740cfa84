import { DaemonError } from '../errors.ts'
import type { Connection } from './connection.ts'

/** Checks every page of a database, in a few milliseconds for 10 MB. Throws DaemonError if the file is damaged. */
export function quickCheck(connection: Connection): void {
  const result = connection.query('PRAGMA quick_check(1)').rows[0]?.quick_check
  if (result === 'ok') return
  throw new DaemonError('internal', 'the database is damaged: restore a backup', {
    cause: result,
  })
}
