import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** A row of Prisma's table `_prisma_migrations`. */
export interface AppliedMigration {
  name: string
  checksum: string
  finished_at: unknown
}

/** Returns the migrations in `folder`, sorted by name. */
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

/** Returns the migrations to apply: a merge of branches may rename one. Throws if an applied one was changed, or failed. */
export function pendingOf(
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const known = new Set(migrations.map(({ checksum }) => checksum))
  return migrations.filter(({ name, checksum }) => {
    const row =
      applied.find((each) => each.checksum === checksum) ??
      applied.find((each) => each.name === name && !known.has(each.checksum))
    if (row && !row.finished_at) throw new Error(`migration ${name} started and did not finish`)
    if (row && row.checksum !== checksum)
      throw new Error(`migration ${name} was changed after it was applied`)
    return !row
  })
}

/** Returns the error to throw for a failed migration. */
export function migrationFailed(name: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`migration ${name} failed: ${reason}`, { cause: error })
}
