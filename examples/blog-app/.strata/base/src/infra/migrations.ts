import { randomUUID } from 'node:crypto'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import {
  type AppliedMigration,
  migrationFailed,
  pendingOf,
  readMigrations,
} from './migration-files.js'

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
export function applyMigrations(database: DatabaseSyncInstance, folder: string): void {
  const migrations = readMigrations(folder)
  // A table is rebuilt without foreign key checks. The pragma has no effect inside a transaction.
  database.exec('PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE')
  try {
    database.exec(migrationTable)
    const applied = database
      .prepare(
        'SELECT migration_name AS name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
      )
      .all() as AppliedMigration[]
    const insert =
      database.prepare(`INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
      VALUES (?, ?, ?, ?, ?, 1)`)
    for (const { name, sql, checksum } of pendingOf(migrations, applied)) {
      const now = new Date().toISOString()
      try {
        database.exec(sql)
      } catch (error) {
        throw migrationFailed(name, error)
      }
      insert.run(randomUUID(), checksum, name, now, now)
    }
    const broken = database.prepare('PRAGMA foreign_key_check').get()
    if (broken)
      throw new Error(`a row of ${broken.table} refers to a missing row of ${broken.parent}`)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
