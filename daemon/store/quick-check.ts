import { DaemonError } from '../errors.ts'
import type { Connection } from './connection.ts'

/** Looks through every page (some milliseconds for ten megabytes). Throws DaemonError where the file is damaged. */
export function refuseDamaged(connection: Connection): void {
  const answer = connection.query('PRAGMA quick_check(1)').rows[0]?.quick_check
  if (answer === 'ok') return
  throw new DaemonError('internal', 'the database is damaged: put a backup in its place', {
    cause: answer,
  })
}
