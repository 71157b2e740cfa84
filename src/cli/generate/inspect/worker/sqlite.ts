import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Inspection } from './messages.ts'
import { batchSize, loadDriver, type OpenedStore, openTables } from './opened-store.ts'

interface Driver {
  DatabaseSync: new (
    path: string,
    options: object,
  ) => {
    prepare(sql: string): { all(...values: unknown[]): Record<string, unknown>[] }
  }
}

/** The app creates a missing file at its start. */
const neverStarted: OpenedStore = {
  waiting: async () => 'all',
  count: async () => 0,
  scan: async function* () {},
}

/** Opens a database file for reading. */
export async function openSqlite(inspection: Inspection): Promise<OpenedStore> {
  const path = inspection.databaseUrl.replace(/^file:(\/\/(?=\/))?/, '')
  if (!existsSync(path)) return neverStarted
  const { DatabaseSync } = loadDriver<Driver>(inspection, '@photostructure/sqlite')
  // Without a log, no process has the file open. SQLite would leave an empty log beside a file that it only reads.
  const isOpen = existsSync(`${path}-wal`)
  const place = isOpen ? path : `${pathToFileURL(path).href}?immutable=1`
  const database = new DatabaseSync(place, { readOnly: true, timeout: 5_000 })
  const quoted = (name: string) => `"${name}"`
  return openTables(
    async (sql, values) => database.prepare(sql).all(...values),
    {
      table: quoted,
      column: quoted,
      batch: (columns, table) =>
        `SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${batchSize}`,
      isMissing: (error) => error instanceof Error && error.message.includes('no such table'),
    },
    inspection,
  )
}
