import type { ColumnChange, TableChange } from '../changes.ts'
import type { Words } from './dialect.ts'

/**
 * MySQL says a column anew to change it. One that becomes required and has a default gives it to
 * the rows that have nothing there, and only then forbids nothing.
 */
export function alterTable(change: TableChange, words: Words): readonly string[] {
  const table = words.quote(change.to.name)
  const filled = change.altered.filter(({ fills }) => fills)
  const remade = change.altered.filter(({ keepsValues }) => !keepsValues)
  return [
    // By itself: in one statement with its like, the column would keep its indexes.
    ...alter(
      table,
      remade.map(({ from }) => `DROP COLUMN ${words.quote(from.name)}`),
    ),
    ...alter(table, [
      ...change.dropped.map((column) => `DROP COLUMN ${words.quote(column.name)}`),
      ...change.added.map((column) => `ADD COLUMN ${words.definition(column)}`),
      ...change.altered.flatMap((each) => alterColumn(each, words)),
    ]),
    ...filled.map(({ to }) => {
      const name = words.quote(to.name)
      return `UPDATE ${table} SET ${name} = ${words.defaultOf(to)} WHERE ${name} IS NULL`
    }),
    ...alter(
      table,
      filled.map(({ to }) => `MODIFY ${words.definition(to)}`),
    ),
  ]
}

function alter(table: string, clauses: readonly string[]): readonly string[] {
  return clauses.length > 0 ? [`ALTER TABLE ${table} ${clauses.join(',\n    ')}`] : []
}

function alterColumn(change: ColumnChange, words: Words): readonly string[] {
  const { to } = change
  const name = words.quote(to.name)
  if (!change.keepsValues) return [`ADD COLUMN ${words.definition(to)}`]
  if (change.fills) {
    return change.retyped ? [`MODIFY ${words.definition({ ...to, nullable: true })}`] : []
  }
  const isOnlyUndefaulted =
    to.default === undefined && !change.retyped && change.nullability === 'same'
  if (isOnlyUndefaulted) return [`ALTER COLUMN ${name} DROP DEFAULT`]
  return [`MODIFY ${words.definition(to)}`]
}
