import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Migration {
  name: string
  sql: string
  checksum: string
}

/** A line of Prisma's book of migrations. */
export interface BookEntry {
  name: string
  checksum: string
  finished_at: unknown
}

/** What `folder` holds, in order of name. */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'migration.sql')))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** Those that are not in the book. Throws where one was changed since, or was begun and not finished. */
export function pendingOf(
  migrations: readonly Migration[],
  book: readonly BookEntry[],
): Migration[] {
  const applied = new Map(book.map((entry) => [entry.name, entry]))
  return migrations.filter(({ name, checksum }) => {
    const entry = applied.get(name)
    if (entry && !entry.finished_at) throw new Error(`migration ${name} was begun and not finished`)
    if (entry && entry.checksum !== checksum)
      throw new Error(`migration ${name} was changed after it was applied`)
    return !entry
  })
}

/** What a migration that fails throws. */
export function migrationFailed(name: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`migration ${name} failed: ${reason}`, { cause: error })
}
