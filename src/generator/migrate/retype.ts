import type { Column } from './tables.ts'

/**
 * Whether values of one type become values of another by themselves. It is what Prisma's engine
 * holds of PostgreSQL, and here of every kind, so that a change of a field means the same wherever
 * the model lives. What does not is dropped and made again, empty.
 */
export function keepsValues(from: Column, to: Column): boolean {
  if (from.type.kind === to.type.kind) return true
  if (family(to) === 'text') return textLength(to) >= (leastLength[from.type.kind] ?? 0)
  return family(from) === family(to)
}

/** Kinds of one family differ in length or precision only. */
export function family(column: Column): Family {
  return families[column.type.kind]
}

/** Characters a column of the text family holds. */
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

// The shortest text the engine lets each become, in its own numbers.
const leastLength: Readonly<Partial<Record<Kind, number>>> = { date: 28, datetime: 23, uuid: 32 }
