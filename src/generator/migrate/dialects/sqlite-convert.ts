import { family } from '../retype.ts'
import type { Column } from '../tables.ts'

/**
 * Returns the expression that converts the values of the quoted `column` to another type, or `undefined`
 * if no conversion is needed. SQLite stores any value in any column and does not convert it.
 */
export function convert(from: Column, to: Column, column: string): string | undefined {
  const [before, after] = [from.type, to.type]
  if (family(to) === 'text') {
    if (before.kind === 'bool') return `CASE ${column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    return before.kind === 'date' ? `substr(${column}, 1, 10)` : undefined
  }
  if (before.kind === 'datetime' && after.kind === 'date') {
    return `substr(${column}, 1, 10) || 'T00:00:00.000+00:00'`
  }
  if (before.kind !== 'float' && before.kind !== 'decimal') return undefined
  if (after.kind === 'int' || after.kind === 'uint') return `CAST(round(${column}) AS INTEGER)`
  if (after.kind !== 'decimal') return undefined
  const isFiner = before.kind !== 'decimal' || before.scale > after.scale
  return isFiner ? `round(${column}, ${after.scale})` : undefined
}
