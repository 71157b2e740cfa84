import type { Changes } from './changes.ts'
import type { Table } from './tables.ts'

// A folder's name, not a report: beyond these the count says enough.
const named = 3

/** What a migration does, in words of snake_case: `create_users`, `create_tags_and_change_posts`. */
export function migrationName({ created, altered, dropped }: Changes): string {
  const parts = [
    ...created.map((table) => `create_${wordsOf(table)}`),
    ...altered.map(({ to }) => `change_${to.name}`),
    ...dropped.map((table) => `drop_${wordsOf(table)}`),
  ]
  const rest = parts.length - named
  return [...parts.slice(0, named), ...(rest > 0 ? [`${rest}_more`] : [])].join('_and_')
}

/** Prisma's names of join tables start with a `_`. */
function wordsOf({ name }: Table): string {
  return name.replace(/^_/, '')
}
