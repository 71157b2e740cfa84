import { StrataError } from '../errors.ts'
import type { Dialect } from './dialects/dialect.ts'
import { type Column, indexName, type Table } from './tables.ts'

/**
 * Throws StrataError `usage` for the first column that the kind of store can't hold as the model
 * says it, naming the field, the kind and why, and for two indexes that would have one name.
 */
export function refuseWhatIsNotHeld(tables: readonly Table[], dialect: Dialect): void {
  const named = new Map<string, string>()
  for (const table of tables) {
    for (const column of table.columns) {
      const why = notHeld(column, dialect)
      if (why === undefined) continue
      throw new StrataError(
        'usage',
        `${dialect.kind} can't hold ${table.type}.${column.name}: ${why}`,
      )
    }
    for (const index of table.indexes) {
      const name = indexName(table, index, dialect.longestName)
      const place = `${table.type}(${index.columns.map((column) => column.name).join(', ')})`
      const other = named.get(name)
      if (other !== undefined) throw new StrataError('usage', clash(name, other, place))
      named.set(name, place)
    }
  }
}

function notHeld({ type }: Column, { limits, kind }: Dialect): string | undefined {
  if (type.kind === 'id') return undefined
  const refused = limits.refused[type.kind]
  if (refused !== undefined) return refused
  if (type.kind !== 'decimal') return undefined
  const { precision, scale, why } = limits.decimal
  if (type.precision <= precision && type.scale <= scale) return undefined
  const decimals = scale < precision ? ` and ${scale} decimals` : ''
  return `decimal(${type.precision},${type.scale}) is more than ${precision} digits${decimals}, ${why}: use fewer digits, or another kind than ${kind}`
}

function clash(name: string, one: string, other: string): string {
  return `the indexes of ${one} and ${other} would both be named ${name}: rename a field or choose another plural with --plural`
}
