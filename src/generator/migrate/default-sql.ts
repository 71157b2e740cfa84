import type { Literals } from './dialects/dialect.ts'
import { plainNumber } from './plain-number.ts'
import type { Column } from './tables.ts'

/** Returns a column's default as SQL, or `undefined` if it has none. */
export function defaultSql(column: Column, literals: Literals): string | undefined {
  if (column.default === undefined) return undefined
  const { kind } = column.type
  if (column.default.kind === 'now') return kind === 'date' ? literals.today : literals.now
  const { value } = column.default
  switch (kind) {
    case 'id':
    case 'int':
    case 'uint':
    case 'float':
    case 'decimal':
      return plainNumber(String(value))
    case 'bool':
      return literals.bool(value === true)
    case 'date':
      return literals.date(new Date(String(value)))
    case 'datetime':
      return literals.datetime(new Date(String(value)))
    case 'json':
      return literals.json(String(value))
    case 'text':
      return literals.text(String(value))
    case 'string':
    case 'uuid':
    case 'email':
    case 'enum':
      return literals.string(String(value))
  }
}

/** Quotes a text as an SQL string: `'it''s'`. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Formats an instant in UTC: `2026-11-20 21:32:00.120`, without a fraction of zero. */
export function sqlTimestamp(value: Date): string {
  return value
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '')
}
