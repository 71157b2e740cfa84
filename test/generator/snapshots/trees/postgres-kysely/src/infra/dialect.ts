import { sql } from 'kysely'
import { isOutage } from './outage.js'
import type { Column } from './table.js'

/** Converts a value to its form in the store. Times are UTC: the columns have no time zone. */
export function toStored({ type, optional }: Column, value: unknown): unknown {
  if (type === 'json') return value === null && optional ? null : JSON.stringify(value)
  return value instanceof Date ? value.toISOString() : value
}

/** Converts a value from the store, except NULL. The client has already converted dates and times. */
export function fromStored({ type }: Column, value: unknown): unknown {
  return type === 'json' ? JSON.parse(String(value)) : value
}

/** Ends a query that locks a row until the end of the transaction. */
export const rowLock = sql`for update`

/** Server codes: deadlock and serialization failure, then a full or broken disk and a read-only server. */
const silent: ReadonlySet<unknown> = new Set(['40001', '40P01'])
const readOnly: ReadonlySet<unknown> = new Set(['53100', '58030', '25006'])

/** Returns the reason for which the store refused a query, undefined for any other error. */
export function failureOf(error: unknown) {
  const { code, constraint = '' } = (error ?? {}) as { code?: unknown; constraint?: string }
  if (code === '23505') {
    const names = (columns: string) => constraint.endsWith(`_${columns.replaceAll(' + ', '_')}_key`)
    return { kind: 'taken' as const, names }
  }
  // A foreign key of the model has RESTRICT, which has a code of its own.
  if (code === '23503' || code === '23001') return { kind: 'reference' as const }
  if (readOnly.has(code)) return { kind: 'read-only' as const }
  return silent.has(code) || isOutage(error) ? { kind: 'silent' as const } : undefined
}
