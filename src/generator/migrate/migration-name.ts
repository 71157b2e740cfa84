import type { Changes } from './table-change.ts'
import type { Table } from './tables.ts'

// Number of changes that the folder name describes, to keep it short. Further changes are only counted.
const maxNamed = 3

/** Describes a migration in snake_case: `create_users`, `create_tags_and_change_posts`. */
export function migrationName({ created, altered, dropped }: Changes): string {
  const parts = [
    ...created.map((table) => `create_${wordsOf(table)}`),
    ...altered.map(({ to }) => `change_${to.name}`),
    ...dropped.map((table) => `drop_${wordsOf(table)}`),
  ]
  const rest = parts.length - maxNamed
  return [...parts.slice(0, maxNamed), ...(rest > 0 ? [`${rest}_more`] : [])].join('_and_')
}

/** Removes the `_` that starts the name of a join table in Prisma. */
function wordsOf({ name }: Table): string {
  return name.replace(/^_/, '')
}
