import { randomUUID } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import { type Migration, migrationFailed, pendingOf, readMigrations } from './migration-files.js'

/** The book Prisma keeps, in its own form: `prisma migrate status` and `deploy` agree with what is done here. */
const book = `CREATE TABLE _prisma_migrations (
    id                      VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum                VARCHAR(64) NOT NULL,
    finished_at             TIMESTAMPTZ,
    migration_name          VARCHAR(255) NOT NULL,
    logs                    TEXT,
    rolled_back_at          TIMESTAMPTZ,
    started_at              TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count     INTEGER NOT NULL DEFAULT 0
)`

/** The lock that Prisma Migrate itself takes. */
const lockId = 72707369

/**
 * Applies what `folder` holds and the schema has not seen, in order of name, all or nothing. Of several
 * processes that start at once the first does it. Throws where an applied file was changed since.
 */
export async function applyMigrations(
  connection: ClientConfig,
  schema: string,
  folder: string,
): Promise<void> {
  const client = new Client(connection)
  // A connection that breaks is told by the query in hand; without a listener it would end the process too.
  client.on('error', () => {})
  try {
    await client.connect()
    // Read committed: what another process applied while this one waited for the lock must be seen.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE')
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockId])
    await openBook(client, schema)
    for (const migration of await pending(client, readMigrations(folder)))
      await apply(client, migration)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}

/** Makes what is missing and no more, as a role may be allowed to use a schema and not to create. */
async function openBook(client: Client, schema: string): Promise<void> {
  const name = client.escapeIdentifier(schema)
  const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found.rowCount === 0) await client.query(`CREATE SCHEMA ${name}`)
  // In UTC, for a new column whose default is the present time.
  await client.query(`SET LOCAL search_path TO ${name}; SET LOCAL timezone = 'UTC'`)
  const { rows } = await client.query("SELECT to_regclass('_prisma_migrations') AS book")
  if (rows[0].book === null) await client.query(book)
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
