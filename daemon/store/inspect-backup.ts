import { setImmediate as breathe } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Sealed } from '../domain/records.ts'
import { DaemonError } from '../errors.ts'
import { type Connection, openConnection } from './connection.ts'
import { findDamage } from './full-check.ts'
import { migrate, refuseForeign, versionOf } from './migrate.ts'
import { migrations } from './migrations.ts'
import { sealedColumns } from './sealed-columns.ts'

/** A database file that nobody has open, looked at and not changed: no log, no lock, no file beside it. */
export interface Inspection {
  facts(): { schemaVersion: number; keyId: string | undefined }
  /**
   * Throws `unprocessable` for a schema newer than ours, and `bad-request` unless the file is one of ours, whole, and
   * has the schema that we made.
   */
  refuseUnsound(): Promise<void>
  /** Every encrypted value, a few at a time. */
  sealedValues(): AsyncGenerator<Sealed>
}

export async function inspectDatabase<T>(
  path: string,
  look: (database: Inspection) => T | Promise<T>,
): Promise<T> {
  const location = `${pathToFileURL(path)}?immutable=1`
  const connection = openConnection(location, { readOnly: true })
  try {
    return await look({
      facts: () => factsOf(connection),
      refuseUnsound: () => refuseUnsound(connection, location),
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

async function refuseUnsound(connection: Connection, location: string): Promise<void> {
  try {
    refuseForeign(connection)
  } catch (error) {
    throw unsound('the database of the backup is damaged, or of another program', error)
  }
  const version = versionOf(connection)
  if (version > migrations.length) {
    throw new DaemonError(
      'unprocessable',
      `the backup has schema ${version} and this stratad knows up to ${migrations.length}: restore it with a newer one`,
    )
  }
  // Before anything runs that a foreign schema could have a hand in.
  if (schemaOf(connection) !== expectedSchema(version)) {
    throw unsound('the database of the backup does not have the tables of its version')
  }
  const damage = await findDamage(location)
  if (damage !== undefined) throw unsound('the database of the backup is damaged', damage)
}

async function* sealedValues(connection: Connection): AsyncGenerator<Sealed> {
  let count = 0
  for (const { table, column } of sealedColumns) {
    if (!hasColumn(connection, table, column)) continue
    const query = `SELECT ${column} AS value FROM ${table} WHERE ${column} IS NOT NULL`
    for (const { value } of connection.query(query).rows) {
      yield value as Sealed
      count += 1
      if (count % 200 === 0) await breathe()
    }
  }
}

function unsound(message: string, cause?: unknown): DaemonError {
  return new DaemonError('bad-request', message, { cause })
}

/** Every statement of the schema as one text. What SQLite keeps for itself is its own. */
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

/** An older schema may not have it yet. */
function hasColumn(connection: Connection, table: string, column: string): boolean {
  const query = 'SELECT 1 FROM pragma_table_info(?) WHERE name = ?'
  return connection.query(query, [table, column]).rows.length > 0
}
