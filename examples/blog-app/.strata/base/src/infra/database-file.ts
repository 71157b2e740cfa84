import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { applyMigrations } from './migrations.js'

const migrationsFolder = fileURLToPath(new URL('../../prisma/migrations/', import.meta.url))

/** The file cannot be opened, or a migration failed. */
export class StoreError extends Error {
  constructor(cause: unknown) {
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n', 1)
    super(`can't open the store of DATABASE_URL: ${reason}`, { cause })
    this.name = 'StoreError'
  }
}

/** Opens the database file, or creates a missing one, and applies the migrations. Throws StoreError. */
export function openFile(databaseUrl: string) {
  const path = databaseUrl.replace(/^file:(\/\/(?=\/))?/, '')
  try {
    mkdirSync(dirname(path), { recursive: true })
    // The start waits for the migrations of another process.
    const database = new DatabaseSync(path, { timeout: 5_000 })
    database.exec('PRAGMA journal_mode = WAL')
    applyMigrations(database, migrationsFolder)
    // Writes survive a crash of the process. A power cut may lose the last writes, but does not corrupt the file.
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0')
    return database
  } catch (error) {
    throw new StoreError(error)
  }
}

/** The driver binds a number near 0 as 0, but a column converts its text exactly. */
export function toBound(value: number): number | string {
  return value !== 0 && Math.abs(value) < 1e-9 ? String(value) : value
}
