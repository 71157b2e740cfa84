import { quoted } from '../default-sql.ts'
import type { ColumnChange, TableChange } from '../table-change.ts'
import type { Column, Table } from '../tables.ts'
import { alterTableStatement, fillNulls } from './alter-table.ts'

interface SqlServerParts {
  tableName(table: Table): string
  quote(name: string): string
  type(column: Column): string
  definition(column: Column, table: Table): string
  defaultOf(column: Column): string | undefined
  defaultName(column: Column, table: Table): string
}

/**
 * Alters a table. A column's default is a named constraint that blocks changes of the column: the defaults
 * of all changed columns are dropped first and created again last.
 */
export function alterTable(change: TableChange, parts: SqlServerParts): readonly string[] {
  const { from, to, dropped, added, altered } = change
  const table = parts.tableName(to)
  const kept = altered.filter((each) => each.keepsValues)
  const recreated = altered.filter((each) => !each.keepsValues)
  const undefaulted = [...dropped, ...altered.map((each) => each.from)].filter(
    (column) => column.default !== undefined,
  )
  const defaulted = kept.map((each) => each.to).filter((column) => column.default !== undefined)
  return [
    ...clause(
      'DROP CONSTRAINT',
      undefaulted.map((column) => parts.quote(parts.defaultName(column, from))),
    ),
    ...kept.flatMap((each) => modify(each, table, parts)),
    ...clause(
      'DROP COLUMN',
      [...dropped, ...recreated.map((each) => each.from)].map(({ name }) => parts.quote(name)),
    ),
    ...clause(
      'ADD',
      defaulted.map((column) => {
        const name = parts.quote(parts.defaultName(column, to))
        return `CONSTRAINT ${name} DEFAULT ${parts.defaultOf(column)} FOR ${parts.quote(column.name)}`
      }),
    ),
    ...clause(
      'ADD',
      [...added, ...recreated.map((each) => each.to)].map((column) => parts.definition(column, to)),
    ),
  ]

  function clause(verb: string, items: readonly string[]): readonly string[] {
    return alterTableStatement(table, items.length > 0 ? [`${verb} ${items.join(',\n')}`] : [])
  }
}

function modify(change: ColumnChange, table: string, parts: SqlServerParts): readonly string[] {
  const { to, retyped, nullability, fills } = change
  if (!retyped && nullability === 'same') return []
  const name = parts.quote(to.name)
  const alter = `ALTER TABLE ${table} ALTER COLUMN ${name} ${parts.type(to)}`
  if (!fills) return [`${alter} ${to.nullable ? 'NULL' : 'NOT NULL'}`]
  // Use dynamic SQL: SQL Server compiles the batch before the column has its new type.
  const fill = `EXEC(${quoted(fillNulls(table, to, parts))})`
  return [...(retyped ? [`${alter} NULL`] : []), fill, `${alter} NOT NULL`]
}
