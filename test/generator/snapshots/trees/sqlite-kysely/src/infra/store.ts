import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { Kysely, sql } from 'kysely'
import { createDialect } from './driver.js'
import { applyMigrations } from './migrations.js'
import type { Tables } from './queries.js'

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url))

/** The time to wait at the start for the migrations of another process. */
const migrationTimeoutMs = 5_000

export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database file, or creates a missing one, and applies the migrations. */
export async function openStore(databaseUrl: string) {
  const path = databaseUrl.replace(/^file:(\/\/(?=\/))?/, '')
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path, { timeout: migrationTimeoutMs })
  try {
    // Writes survive a crash of the process. A power cut may lose the last writes, but does not corrupt the file.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    applyMigrations(database, migrationsFolder)
    database.exec('PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0')
  } catch (error) {
    database.close()
    throw error
  }
  const db = new Kysely<Tables>({ dialect: createDialect(database) })
  // `SELECT 1` would not read the file.
  const ping = () => sql`SELECT count(*) FROM sqlite_schema`.execute(db)
  return { db, ping, close: () => db.destroy() }
}
