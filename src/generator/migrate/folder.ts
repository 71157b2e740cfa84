import { StrataError } from '../errors.ts'

/**
 * The folder of the next migration: `0001_create_users`, or one number after the last folder there
 * is, in as many digits. `existing` are the names in `prisma/migrations`; those that do not begin
 * with a number and `_` count only as names to sort after. No clock: equal inputs, equal names.
 * Throws StrataError `conflict` where no number can sort last, for the order is the order of names.
 */
export function nextMigrationFolder(existing: readonly string[], name: string): string {
  const numbers = existing.flatMap((folder) => /^(\d+)_/.exec(folder)?.[1] ?? [])
  const last = numbers.toSorted(byValue).at(-1) ?? '0000'
  const next = `${String(BigInt(last) + 1n).padStart(last.length, '0')}_${name}`
  const later = existing.find((folder) => folder >= next)
  if (later === undefined) return next
  throw new StrataError(
    'conflict',
    `a migration after ${later} would not sort after it; rename that folder so that ${next} does`,
  )
}

function byValue(one: string, other: string): number {
  return Number(BigInt(one) - BigInt(other))
}
