import type { Inspection } from './messages.ts'
import {
  batchSize,
  connectionOf,
  loadDriver,
  type OpenedStore,
  openTables,
} from './opened-store.ts'

interface Driver {
  ConnectionPool: new (options: object) => Pool
}

interface Pool {
  connect(): Promise<unknown>
  on(event: 'error', listener: () => void): unknown
  request(): Request
}

interface Request {
  input(name: string, value: unknown): Request
  query(sql: string): Promise<{ recordset?: Record<string, unknown>[] }>
}

/** Opens the tables of a database. All statements are single queries. */
export async function openSqlserver(inspection: Inspection): Promise<OpenedStore> {
  const { ConnectionPool } = loadDriver<Driver>(inspection, 'mssql')
  const connection = await connectionOf<object>(inspection)
  const pool = new ConnectionPool({ ...connection, requestTimeout: inspection.limitMs })
  pool.on('error', () => {})
  await pool.connect()
  const quoted = (name: string) => `[${name}]`
  return openTables(
    async (sql, values) => {
      const request = values.reduce<Request>(
        (each, value, at) => each.input(`p${at}`, value),
        pool.request(),
      )
      return (await request.query(sql)).recordset ?? []
    },
    {
      table: quoted,
      column: quoted,
      batch: (columns, table) =>
        `SELECT TOP ${batchSize} ${columns} FROM ${table} WHERE id > @p0 ORDER BY id`,
      isMissing: (error) => error instanceof Error && 'number' in error && error.number === 208,
    },
    inspection,
  )
}
