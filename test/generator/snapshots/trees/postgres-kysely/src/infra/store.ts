import { fileURLToPath } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type ClientBase, Pool } from 'pg'
import { createClientClass } from './client.js'
import { applyMigrations } from './migrations.js'
import { isOutage } from './outage.js'
import type { Tables } from './queries.js'
import { StoreError } from './wait-for-store.js'

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url))

const maxConnections = 10

/** The time to open a connection, and to wait for a free one in the pool. */
const connectTimeoutMs = 5_000

/** Time limits of a query: in the server, and in the client in case the server is silent. */
const statementTimeoutMs = 10_000
const queryTimeoutMs = 12_000

export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the database and applies the migrations. `?schema=` in the URL names a schema other than `public`.
 * `?pgbouncer=true` is for a pooler in transaction mode: it allows no session settings. Throws StoreError.
 */
export async function openStore(databaseUrl: string) {
  const { connection, schema, isPooled } = readUrl(databaseUrl)
  try {
    await applyMigrations(connection, schema, migrationsFolder)
  } catch (error) {
    throw new StoreError(error, { isStarting: isOutage(error) })
  }
  const pool = new Pool({
    ...connection,
    Client: createClientClass({ keepsStatements: !isPooled }),
    max: maxConnections,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    ...(!isPooled && { onConnect: setUpSession }),
  })
  // The next query opens a new connection. Without a listener, the loss of an idle one would end the process.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema)
  const ping = () => sql`SELECT 1`.execute(db)
  return { db, ping, close: () => db.destroy() }
}

function readUrl(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const schema = url.searchParams.get('schema') || 'public'
  const isPooled = url.searchParams.get('pgbouncer') === 'true'
  url.searchParams.delete('schema')
  url.searchParams.delete('pgbouncer')
  const connection = { connectionString: url.href, connectionTimeoutMillis: connectTimeoutMs }
  return { connection, schema, isPooled }
}

/** Overrides the defaults of the server and of its role: dates are read only in this format. */
async function setUpSession(client: ClientBase) {
  await client.query(
    `SET datestyle = 'ISO'; SET timezone = 'UTC'; SET statement_timeout = ${statementTimeoutMs}`,
  )
}
