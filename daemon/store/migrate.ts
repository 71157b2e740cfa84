import { DaemonError } from '../errors.ts'
import type { Connection } from './connection.ts'
import { migrations as all, type Migration } from './migrations.ts'

/** In the header of every database of ours: "STRA". */
const applicationId = 0x53545241

/**
 * Brings a database to the newest schema, a transaction a step, each booked with the time `at`. Throws DaemonError for
 * a file of another program and for one that a newer stratad has written.
 */
export function migrate(
  connection: Connection,
  at: number,
  migrations: readonly Migration[] = all,
): void {
  refuseForeign(connection)
  refuseNewer(connection, migrations.length)
  for (const { version, name, sql } of migrations.slice(versionOf(connection))) {
    connection.execute('BEGIN IMMEDIATE')
    try {
      connection.execute(booking)
      connection.execute(`${sql}; PRAGMA application_id = ${applicationId}`)
      connection.query('INSERT INTO migrations (version, name, applied_at) VALUES (?, ?, ?)', [
        version,
        name,
        at,
      ])
      connection.execute('COMMIT')
    } catch (error) {
      if (connection.raw.isTransaction) connection.execute('ROLLBACK')
      throw error
    }
  }
}

const booking = `CREATE TABLE IF NOT EXISTS migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`

/** How many migrations a database has had; 0 for an empty one. */
export function versionOf(connection: Connection): number {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'"
  if (connection.query(table).rows.length === 0) return 0
  return Number(connection.query('SELECT max(version) AS version FROM migrations').rows[0]?.version)
}

/** Throws for a file that a program other than stratad has made. */
export function refuseForeign(connection: Connection): void {
  const id = connection.query('PRAGMA application_id').rows[0]?.application_id
  const { rows } = connection.query('SELECT 1 FROM sqlite_schema LIMIT 1')
  if (id === applicationId || (id === 0 && rows.length === 0)) return
  throw new DaemonError('internal', 'the database file is of another program: set another one')
}

/** Throws for a database that knows more migrations than there are. */
export function refuseNewer(connection: Connection, known: number): void {
  const version = versionOf(connection)
  if (version <= known) return
  throw new DaemonError(
    'internal',
    `the database has schema ${version} and this stratad knows up to ${known}: start the newer one, or restore a backup`,
  )
}
