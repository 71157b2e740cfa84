import { StrataError } from '../errors.ts'

/**
 * Returns the folder of the next migration: `0001_create_users`, or the number after the greatest existing
 * one, with the same number of digits. `existing` lists the names in `prisma/migrations`. Prisma applies
 * migrations by name: throws StrataError `conflict` if an existing folder would sort after the new one.
 */
export function nextMigrationFolder(existing: readonly string[], name: string): string {
  const numbers = existing.flatMap((folder) => /^(\d+)_/.exec(folder)?.[1] ?? [])
  const last = numbers.toSorted(byValue).at(-1) ?? '0000'
  const next = `${String(BigInt(last) + 1n).padStart(last.length, '0')}_${name}`
  const later = existing.find((folder) => folder >= next)
  if (later === undefined) return next
  throw new StrataError(
    'conflict',
    `the migration folder ${later} sorts after the next one, ${next}: rename ${later} to sort before it`,
  )
}

function byValue(one: string, other: string): number {
  return Number(BigInt(one) - BigInt(other))
}
