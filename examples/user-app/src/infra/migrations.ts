import { randomUUID } from 'node:crypto'
import type { Client, Transaction } from '@libsql/client'
import { type Migration, migrationFailed, pendingOf, readMigrations } from './migration-files.js'

/** Prisma's own table, so that `prisma migrate status` and `deploy` know the migrations that the app applies. */
const migrationTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
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
 * Applies the pending migrations of `folder`, sorted by name, in one transaction. If several processes start at
 * once, one of them applies the migrations. Throws if an applied file was changed.
 */
export async function applyMigrations(client: Client, folder: string): Promise<void> {
  const migrations = readMigrations(folder)
  // A table is rebuilt without foreign key checks. The pragma has no effect inside a transaction.
  await client.execute('PRAGMA foreign_keys = OFF')
  const transaction = await client.transaction('write')
  try {
    await transaction.execute(migrationTable)
    for (const migration of await pending(transaction, migrations))
      await apply(transaction, migration)
    await assertReferences(transaction)
    await transaction.commit()
  } finally {
    transaction.close()
  }
}

async function pending(transaction: Transaction, migrations: Migration[]): Promise<Migration[]> {
  const { rows } = await transaction.execute(
    'SELECT migration_name AS name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  )
  const applied = rows.map((row) => ({
    name: String(row.name),
    checksum: String(row.checksum),
    finished_at: row.finished_at,
  }))
  return pendingOf(migrations, applied)
}

/** Throws if a foreign key refers to a missing row: the migrations ran without foreign key checks. */
async function assertReferences(transaction: Transaction): Promise<void> {
  const [broken] = (await transaction.execute('PRAGMA foreign_key_check')).rows
  if (broken)
    throw new Error(`a row of ${broken.table} refers to a missing row of ${broken.parent}`)
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
