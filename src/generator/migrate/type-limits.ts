import { StrataError } from '../errors.ts'
import { identifierMaxBytes } from '../model/field-limits.ts'
import type { Dialect } from './dialects/dialect.ts'
import { type Column, foreignKeyName, indexName, type Table } from './tables.ts'

/**
 * Throws StrataError `usage` for a column that the store can't hold, for two indexes or foreign keys of one
 * name, and for a join table whose name is too long for some store kind.
 */
export function assertTypeLimits(tables: readonly Table[], dialect: Dialect): void {
  const named = new Map<string, string>()
  for (const table of tables) {
    if (table.isJoin) refuseLongName(table)
    for (const column of table.columns) {
      const why = limitViolation(column, dialect)
      if (why === undefined) continue
      throw new StrataError(
        'usage',
        `${dialect.kind} can't hold ${table.type}.${column.name}: ${why}`,
      )
    }
    for (const { name, place } of namesIn(table, dialect)) {
      const other = named.get(name)
      if (other !== undefined) throw new StrataError('usage', clash(name, other, place))
      named.set(name, place)
    }
  }
}

interface Named {
  readonly name: string
  /** Owner of the name, used as a part of the message. */
  readonly place: string
}

function namesIn(table: Table, { longestName }: Dialect): readonly Named[] {
  const owner = table.isJoin ? table.name : table.type
  const place = (columns: readonly Column[]) =>
    `${owner}(${columns.map((column) => column.name).join(', ')})`
  return [
    ...table.indexes.map((index) => ({
      name: indexName(table, index, longestName),
      place: `the index of ${place(index.columns)}`,
    })),
    ...table.foreignKeys.map((key) => ({
      name: foreignKeyName(table, key, longestName),
      place: `the foreign key ${place([key.column])}`,
    })),
  ]
}

function refuseLongName({ name }: Table): void {
  if (name.length <= identifierMaxBytes) return
  throw new StrataError(
    'usage',
    `the table of a relation would be ${name}, which has ${name.length} characters, and PostgreSQL allows ${identifierMaxBytes}: choose a shorter name for the relation`,
  )
}

function limitViolation({ type }: Column, { limits, kind }: Dialect): string | undefined {
  if (type.kind === 'id') return undefined
  const refused = limits.refused[type.kind]
  if (refused !== undefined) return refused
  if (type.kind !== 'decimal') return undefined
  const { precision, scale, why } = limits.decimal
  if (type.precision <= precision && type.scale <= scale) return undefined
  const decimals = scale < precision ? ` and ${scale} decimals` : ''
  return `decimal(${type.precision},${type.scale}) exceeds ${precision} digits${decimals}, ${why}: use fewer digits, or another store kind than ${kind}`
}

function clash(name: string, one: string, other: string): string {
  return `${one} and ${other} would both be named ${name}: rename a field or choose another plural with --plural`
}
