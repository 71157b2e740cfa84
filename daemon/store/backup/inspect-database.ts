import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Sealed } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import { type Connection, openConnection } from '../connection.ts'
import { encryptedColumns } from '../encrypted-columns.ts'
import { fullCheck } from '../full-check.ts'
import { migrate, refuseForeign, versionOf } from '../migrate.ts'
import { migrations } from '../migrations.ts'

/** Opens a database file that no process uses, for reading only. Creates no log, lock or other file. */
export interface Inspection {
  facts(): { schemaVersion: number; keyId: string | undefined }
  /**
   * Checks the schema. Throws DaemonError `unprocessable` for a newer schema, and `bad-request` if the file is damaged,
   * belongs to another program or has an unexpected schema.
   */
  check(): Promise<void>
  projectIds(): readonly number[]
  /** Yields every encrypted value and lets other work run in between. */
  sealedValues(): AsyncGenerator<Sealed>
}

export async function inspectDatabase<T>(
  path: string,
  inspect: (database: Inspection) => T | Promise<T>,
): Promise<T> {
  const location = `${pathToFileURL(path)}?immutable=1`
  const connection = openConnection(location, { readOnly: true })
  try {
    return await inspect({
      facts: () => factsOf(connection),
      check: () => check(connection, location),
      projectIds: () =>
        connection.query('SELECT id FROM projects ORDER BY id').rows.map(({ id }) => Number(id)),
      sealedValues: () => sealedValues(connection),
    })
  } finally {
    connection.close()
  }
}

function factsOf(connection: Connection): ReturnType<Inspection['facts']> {
  const query = "SELECT value FROM meta WHERE key = 'key_id'"
  const keyId = connection.query(query).rows[0]?.value
  return {
    schemaVersion: versionOf(connection),
    keyId: keyId === undefined ? undefined : String(keyId),
  }
}

async function check(connection: Connection, location: string): Promise<void> {
  try {
    refuseForeign(connection)
  } catch (error) {
    throw invalid('the database of the backup is damaged or of another program', error)
  }
  const version = versionOf(connection)
  if (version > migrations.length) {
    throw new DaemonError(
      'unprocessable',
      `the backup has schema ${version} and this stratad supports up to ${migrations.length}: restore it with a newer stratad`,
    )
  }
  // Check the schema before any query that a malicious schema could influence.
  if (schemaOf(connection) !== expectedSchema(version)) {
    throw invalid('the database of the backup does not have the tables of its schema version')
  }
  const damage = await fullCheck(location)
  if (damage !== undefined) throw invalid('the database of the backup is damaged', damage)
}

async function* sealedValues(connection: Connection): AsyncGenerator<Sealed> {
  let count = 0
  for (const { table, column } of encryptedColumns) {
    if (!hasColumn(connection, table, column)) continue
    const query = `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`
    for (const { value } of connection.query(query).rows) {
      yield value as Sealed
      count += 1
      if (count % 200 === 0) await yieldToEventLoop()
    }
  }
}

function invalid(message: string, cause?: unknown): DaemonError {
  return new DaemonError('bad-request', message, { cause })
}

/** Returns the schema as one text, without SQLite's internal tables. */
function schemaOf(connection: Connection): string {
  const { rows } = connection.query(
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name",
  )
  return JSON.stringify(rows.map(({ type, name, sql }) => [type, name, sql]))
}

function expectedSchema(version: number): string {
  const fresh = openConnection(':memory:')
  try {
    migrate(fresh, 0, migrations.slice(0, version))
    return schemaOf(fresh)
  } finally {
    fresh.close()
  }
}

/** Returns true if the column exists. An older schema may lack it. */
function hasColumn(connection: Connection, table: string, column: string): boolean {
  const query = 'SELECT 1 FROM pragma_table_info(?) WHERE name = ?'
  return connection.query(query, [table, column]).rows.length > 0
}
