import type { Model } from '../model/model.ts'
import type { Dialect } from './dialects/dialect.ts'
import { dialectOf } from './dialects/registry.ts'
import { type TableRename, tableRenames } from './table-rename.ts'

/** A migration that only renames: every row stays. */
export interface RenameMigration {
  /** Name of the migration in snake_case: `rename_posts_to_articles` */
  readonly name: string
  readonly sql: string
}

/**
 * Returns the migration of a rename, or `undefined` if no name in the database changes. Features and fields of both
 * models must match by position.
 */
export function renameMigration(
  before: Model,
  after: Model,
  dialect: Dialect = dialectOf(after.database),
): RenameMigration | undefined {
  const renames = tableRenames(before, after)
  const [first] = renames
  if (first === undefined) return undefined
  const { transaction, rename } = dialect.sql
  const steps = rename(renames)
    .filter(({ statements }) => statements.length > 0)
    .map(
      ({ title, statements }) =>
        `-- ${title}\n${statements.map((statement) => `${statement};\n`).join('')}`,
    )
  const parts = transaction ? [transaction.begin, ...steps, transaction.commit] : steps
  return { name: nameOf(renames.find(isTableRename) ?? first), sql: parts.join('\n') }
}

function isTableRename({ from, to }: TableRename): boolean {
  return from.name !== to.name && !from.isJoin
}

function nameOf({ from, to, columns }: TableRename): string {
  if (from.name !== to.name) return `rename_${from.name.replace(/^_/, '')}_to_${to.name}`
  const [column] = columns
  return `rename_${to.name}_${column?.from}_to_${column?.to}`
}
