import type { Inspection } from './messages.ts'
import {
  batchSize,
  connectTimeoutMs,
  loadDriver,
  namesIn,
  type OpenedStore,
  openTables,
  type RunQuery,
  waitingFields,
} from './opened-store.ts'

interface Driver {
  Client: new (options: object) => Client
  escapeIdentifier(name: string): string
  escapeLiteral(text: string): string
}

interface Client {
  connect(): Promise<unknown>
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
  on(event: 'error', listener: () => void): unknown
}

/** Opens the tables of a database schema in a transaction that can only read. */
export async function openPostgres(inspection: Inspection): Promise<OpenedStore> {
  const { run, table, driver } = await connect(inspection)
  return openTables(
    run,
    { table, column: driver.escapeIdentifier, batch: batchOf, isMissing },
    inspection,
  )
}

/** Opens the tables whose rows are documents. */
export async function openPostgresJson(inspection: Inspection): Promise<OpenedStore> {
  const { run, table, driver } = await connect(inspection)
  const style = {
    table,
    column: driver.escapeIdentifier,
    value: (name: string) => (name === 'id' ? 'id' : `document->${driver.escapeLiteral(name)}`),
    batch: batchOf,
    isMissing,
  }
  const find = `SELECT collection FROM ${table('_schema')} WHERE name = $1`
  // A failed statement ends the transaction, so the catalog is asked first.
  const exists = await run('SELECT to_regclass($1) AS found', [table('_schema')])
  return {
    ...openTables(run, style, inspection),
    waiting: () =>
      waitingFields(inspection, async (name) => {
        if (exists[0]?.found === null) return undefined
        const [row] = await run(find, [name])
        return namesIn(row?.collection)
      }),
  }
}

function batchOf(columns: string, table: string): string {
  return `SELECT ${columns} FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${batchSize}`
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '42P01'
}

async function connect(inspection: Inspection) {
  const driver = loadDriver<Driver>(inspection, 'pg')
  const url = new URL(inspection.databaseUrl)
  const schema = url.searchParams.get('schema') || 'public'
  url.searchParams.delete('schema')
  url.searchParams.delete('pgbouncer')
  const client = new driver.Client({
    connectionString: url.href,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: inspection.limitMs,
  })
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(`SET LOCAL statement_timeout = ${inspection.limitMs}`)
  await client.query("SET LOCAL timezone = 'UTC'")
  const run: RunQuery = async (sql, values) => (await client.query(sql, [...values])).rows
  const table = (name: string) =>
    `${driver.escapeIdentifier(schema)}.${driver.escapeIdentifier(name)}`
  return { run, table, driver }
}
