import type { Inspection } from './messages.ts'
import {
  batchSize,
  connectTimeoutMs,
  loadDriver,
  type OpenedStore,
  openTables,
} from './opened-store.ts'

interface Driver {
  createConnection(options: object): Promise<{
    query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>
    on(event: 'error', listener: () => void): unknown
  }>
}

/** Opens the tables of a database in a transaction that can only read. */
export async function openMysql(inspection: Inspection): Promise<OpenedStore> {
  const { createConnection } = loadDriver<Driver>(inspection, 'mariadb')
  const url = new URL(inspection.databaseUrl)
  const client = await createConnection({
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    connectTimeout: connectTimeoutMs,
    socketTimeout: inspection.limitMs,
    allowPublicKeyRetrieval: true,
    // Times are UTC.
    timezone: 'Z',
    bigIntAsNumber: true,
    ...(url.searchParams.get('ssl') === 'true' && { ssl: true }),
  })
  client.on('error', () => {})
  await client.query("SET time_zone = '+00:00'")
  await client.query('START TRANSACTION READ ONLY')
  const quoted = (name: string) => `\`${name}\``
  return openTables(
    (sql, values) => client.query(sql, [...values]),
    {
      table: quoted,
      column: quoted,
      batch: (columns, table) =>
        `SELECT ${columns} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${batchSize}`,
      isMissing: (error) => error instanceof Error && 'errno' in error && error.errno === 1146,
    },
    inspection,
  )
}
