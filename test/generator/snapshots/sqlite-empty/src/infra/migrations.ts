import { randomUUID } from 'node:crypto'
import type { Client, Transaction } from '@libsql/client'
import { type Migration, migrationFailed, pendingOf, readMigrations } from './migration-files.js'

/** The book Prisma keeps, in its own form: `prisma migrate status` and `deploy` agree with what is done here. */
const book = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    TEXT PRIMARY KEY NOT NULL,
    "checksum"              TEXT NOT NULL,
    "finished_at"           DATETIME,
    "migration_name"        TEXT NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        DATETIME,
    "started_at"            DATETIME NOT NULL DEFAULT current_timestamp,
    "applied_steps_count"   INTEGER UNSIGNED NOT NULL DEFAULT 0
)`

/**
 * Applies what `folder` holds and the database has not seen, in order of name, all or nothing. Of several
 * processes that start at once the first does it. Throws where an applied file was changed since.
 */
export async function applyMigrations(client: Client, folder: string): Promise<void> {
  const migrations = readMigrations(folder)
  // Tables are rebuilt with their references open; it has no effect inside a transaction.
  await client.execute('PRAGMA foreign_keys = OFF')
  const transaction = await client.transaction('write')
  try {
    await transaction.execute(book)
    for (const migration of await pending(transaction, migrations))
      await apply(transaction, migration)
    await assertWhole(transaction)
    await transaction.commit()
  } finally {
    transaction.close()
  }
}

async function pending(transaction: Transaction, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await transaction.execute(
    'SELECT migration_name AS name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  )
  const book = rows.map((row) => ({
    name: String(row.name),
    checksum: String(row.checksum),
    finished_at: row.finished_at,
  }))
  return pendingOf(migrations, book)
}

/** References were not looked at while the tables were changed. */
async function assertWhole(transaction: Transaction): Promise<void> {
  const [broken] = (await transaction.execute('PRAGMA foreign_key_check')).rows
  if (broken)
    throw new Error(
      `a row of ${broken.table} would refer to a row of ${broken.parent} that is not there`,
    )
}

async function apply(transaction: Transaction, { name, sql, checksum }: Migration): Promise<void> {
  const now = new Date().toISOString()
  try {
    await transaction.executeMultiple(sql)
  } catch (error) {
    throw migrationFailed(name, error)
  }
  await transaction.execute({
    sql: `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
          VALUES (?, ?, ?, ?, ?, 1)`,
    args: [randomUUID(), checksum, name, now, now],
  })
}
