import { DaemonError } from '../errors.ts'
import type { Connection } from './connection.ts'
import { migrations as all, type Migration } from './migrations.ts'

/** Application id "STRA" in the header of every stratad database. */
const applicationId = 0x53545241

/**
 * Migrates a database to the newest schema, one transaction per migration, and records each with the time `at`. Throws
 * DaemonError for a file of another program or of a newer stratad.
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
      connection.execute(migrationsTable)
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

const migrationsTable = `CREATE TABLE IF NOT EXISTS migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`

/** Returns the schema version of a database; 0 if it is empty. */
export function versionOf(connection: Connection): number {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'"
  if (connection.query(table).rows.length === 0) return 0
  return Number(connection.query('SELECT max(version) AS version FROM migrations').rows[0]?.version)
}

/** Throws DaemonError for a database of another program. */
export function refuseForeign(connection: Connection): void {
  const id = connection.query('PRAGMA application_id').rows[0]?.application_id
  const { rows } = connection.query('SELECT 1 FROM sqlite_schema LIMIT 1')
  if (id === applicationId || (id === 0 && rows.length === 0)) return
  throw new DaemonError(
    'internal',
    'the database file belongs to another program: configure another file',
  )
}

/** Throws DaemonError for a schema version above `newest`. */
export function refuseNewer(connection: Connection, newest: number): void {
  const version = versionOf(connection)
  if (version <= newest) return
  throw new DaemonError(
    'internal',
    `the database has schema ${version} and this stratad supports up to ${newest}: start a newer stratad or restore a backup`,
  )
}
