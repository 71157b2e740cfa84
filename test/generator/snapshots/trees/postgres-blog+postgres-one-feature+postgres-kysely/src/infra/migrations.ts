import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { type Migration, migrationFailed, pendingOf, readMigrations } from './migration-files.js'

/** Prisma's own table, so that `prisma migrate status` and `deploy` know the migrations that the app applies. */
const migrationTable = `CREATE TABLE _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`

/** The advisory lock that Prisma Migrate itself takes. */
const lockId = 72707369

/**
 * Applies the pending migrations of `folder`, sorted by name, in one transaction. If several processes start at
 * once, one of them applies the migrations. Throws if an applied file was changed.
 */
export async function applyMigrations(
  connection: ClientConfig,
  schema: string,
  folder: string,
): Promise<void> {
  const client = new Client(connection)
  // The pending query reports a broken connection. Without a listener, the event would also end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    // Read committed shows the migrations that another process applied while this process waited
    // for the lock.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE')
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockId])
    await openMigrationTable(client, schema)
    for (const migration of await pending(client, readMigrations(folder)))
      await apply(client, migration)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/** Creates the schema and the table only if missing: a role may be allowed to use a schema and not to create one. */
async function openMigrationTable(client: Client, schema: string): Promise<void> {
  const name = client.escapeIdentifier(schema)
  const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.rowCount === 0) await client.query(`CREATE SCHEMA ${name}`)
  // UTC, because a new column can have the current time as its default.
  await client.query(`SET LOCAL search_path TO ${name}; SET LOCAL timezone = 'UTC'`)
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') AS found")
  if (rows[0].found === null) await client.query(migrationTable)
}

async function pending(client: Client, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await client.query(
    'SELECT migration_name AS name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  return pendingOf(migrations, rows)
}

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  const id = randomUUID()
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
     VALUES ($1, $2, $3, clock_timestamp())`,
    [id, checksum, name],
  )
  try {
    await client.query(sql)
  } catch (error) {
    throw migrationFailed(name, error)
  }
  await client.query(
    'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
    [id],
  )
}
