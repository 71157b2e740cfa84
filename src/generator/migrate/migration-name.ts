import type { Changes } from './changes.ts'

// A folder's name, not a report: beyond these the count says enough.
const named = 3

/** What a migration does, in words of snake_case: `create_users`, `create_tags_and_change_posts`. */
export function migrationName({ created, altered, dropped }: Changes): string {
  const parts = [
    ...created.map((table) => `create_${table.name}`),
    ...altered.map(({ to }) => `change_${to.name}`),
    ...dropped.map((table) => `drop_${table.name}`),
  ]
  const rest = parts.length - named
  return [...parts.slice(0, named), ...(rest > 0 ? [`${rest}_more`] : [])].join('_and_')
}
