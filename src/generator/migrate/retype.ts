import type { Column } from './tables.ts'

/**
 * Returns true if the store can convert values of one type to the other; otherwise the column is dropped
 * and created again, empty. Every kind follows the rules of Prisma's engine for PostgreSQL, so that a change
 * of a field has the same effect in every store.
 */
export function keepsValues(from: Column, to: Column): boolean {
  if (from.type.kind === to.type.kind) return true
  if (family(to) === 'text') return textLength(to) >= (leastLength[from.type.kind] ?? 0)
  return family(from) === family(to)
}

/** Returns the family of a column's type. Kinds of one family differ only in length or precision. */
export function family(column: Column): Family {
  return families[column.type.kind]
}

/** Returns the maximum length of a text column in characters, possibly `Infinity`. */
export function textLength(column: Column): number {
  return column.length ?? Number.POSITIVE_INFINITY
}

type Kind = Column['type']['kind']
type Family = 'text' | 'number' | 'bool' | 'time' | 'uuid' | 'json'

const families: Readonly<Record<Kind, Family>> = {
  id: 'number',
  int: 'number',
  uint: 'number',
  float: 'number',
  decimal: 'number',
  string: 'text',
  text: 'text',
  email: 'text',
  enum: 'text',
  bool: 'bool',
  date: 'time',
  datetime: 'time',
  uuid: 'uuid',
  json: 'json',
}

// Minimum length of a text column that accepts each kind, taken from Prisma's engine.
const leastLength: Readonly<Partial<Record<Kind, number>>> = { date: 28, datetime: 23, uuid: 32 }
