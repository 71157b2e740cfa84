import type { ColumnChange, TableChange } from '../changes.ts'
import { quoted } from '../default-sql.ts'
import type { Column, Table } from '../tables.ts'

interface Words {
  tableName(table: Table): string
  quote(name: string): string
  type(column: Column): string
  definition(column: Column, table: Table): string
  defaultOf(column: Column): string | undefined
  defaultName(column: Column, table: Table): string
}

/**
 * SQL Server lets go of a column only when its default, a constraint with a name, is gone: defaults
 * of all changed columns go first and come back last.
 */
export function alterTable(change: TableChange, words: Words): readonly string[] {
  const { from, to, dropped, added, altered } = change
  const table = words.tableName(to)
  const kept = altered.filter((each) => each.keepsValues)
  const remade = altered.filter((each) => !each.keepsValues)
  const undefaulted = [...dropped, ...altered.map((each) => each.from)].filter(
    (column) => column.default !== undefined,
  )
  const defaulted = kept.map((each) => each.to).filter((column) => column.default !== undefined)
  return [
    ...clause(
      'DROP CONSTRAINT',
      undefaulted.map((column) => words.quote(words.defaultName(column, from))),
    ),
    ...kept.flatMap((each) => modify(each, table, words)),
    ...clause(
      'DROP COLUMN',
      [...dropped, ...remade.map((each) => each.from)].map(({ name }) => words.quote(name)),
    ),
    ...clause(
      'ADD',
      defaulted.map((column) => {
        const name = words.quote(words.defaultName(column, to))
        return `CONSTRAINT ${name} DEFAULT ${words.defaultOf(column)} FOR ${words.quote(column.name)}`
      }),
    ),
    ...clause(
      'ADD',
      [...added, ...remade.map((each) => each.to)].map((column) => words.definition(column, to)),
    ),
  ]

  function clause(verb: string, parts: readonly string[]): readonly string[] {
    return parts.length > 0 ? [`ALTER TABLE ${table} ${verb} ${parts.join(',\n')}`] : []
  }
}

function modify(change: ColumnChange, table: string, words: Words): readonly string[] {
  const { to, retyped, nullability, fills } = change
  if (!retyped && nullability === 'same') return []
  const name = words.quote(to.name)
  const alter = `ALTER TABLE ${table} ALTER COLUMN ${name} ${words.type(to)}`
  if (!fills) return [`${alter} ${to.nullable ? 'NULL' : 'NOT NULL'}`]
  const fill = `UPDATE ${table} SET ${name} = ${words.defaultOf(to)} WHERE ${name} IS NULL`
  // As text, for the batch is compiled before the column has its new type.
  return [...(retyped ? [`${alter} NULL`] : []), `EXEC(${quoted(fill)})`, `${alter} NOT NULL`]
}
