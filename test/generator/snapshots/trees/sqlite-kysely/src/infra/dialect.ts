import { type Expression, type SqlBool, sql } from 'kysely'
import type { Column } from './table.js'

/** Converts a value to its form in the store. Prisma stores dates and times in the same form. */
export function toStored({ type, optional }: Column, value: unknown): unknown {
  if (type === 'json') return value === null && optional ? null : JSON.stringify(value)
  if (value instanceof Date) return value.toISOString().replace('Z', '+00:00')
  if (type === 'date' && value !== null) return `${value}T00:00:00.000+00:00`
  return typeof value === 'boolean' ? Number(value) : value
}

/** Converts a value from the store, except NULL. */
export function fromStored({ type, scale }: Column, value: unknown): unknown {
  switch (type) {
    case 'bool':
      return value === 1
    case 'date':
      return String(value).slice(0, 10)
    case 'datetime':
      return new Date(value as string)
    case 'decimal':
      return Number(value).toFixed(scale)
    case 'json':
      return JSON.parse(String(value))
    default:
      return value
  }
}

/** Returns the condition that a column has one of the values of a list. */
export function among(column: string, list: unknown): Expression<SqlBool> {
  return sql`${sql.ref(column)} in (select value from json_each(${list}))`
}

/** Returns the value of a list for `among`. */
export function toList(values: readonly unknown[]): unknown {
  return JSON.stringify(values)
}

export function contains(column: Expression<unknown>, text: unknown): Expression<SqlBool> {
  return sql`instr(${column}, ${text}) > 0`
}

/** Ends a query that locks a row. A transaction locks the whole file. */
export const rowLock = sql``

/** Returns the reason for which the store refused a query, undefined for any other error. */
export function failureOf(error: unknown) {
  const message = error instanceof Error ? error.message : ''
  const [, taken] = /UNIQUE constraint failed: (.+)/.exec(message) ?? []
  if (taken) {
    const reported = taken.split(', ').map((column) => column.replace(/^.*\./, ''))
    const names = (columns: string) => reported.join(' + ') === columns
    return { kind: 'taken' as const, names }
  }
  if (message.includes('FOREIGN KEY constraint failed')) return { kind: 'reference' as const }
  if (isBusy(error)) return { kind: 'silent' as const }
  const cannotWrite = /readonly database|disk I\/O error|disk is full/.test(message)
  return cannotWrite ? { kind: 'read-only' as const } : undefined
}

/** Returns true if another process writes. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.includes('database is locked')
}
