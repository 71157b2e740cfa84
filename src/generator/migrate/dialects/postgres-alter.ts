import type { ColumnChange, TableChange } from '../changes.ts'
import type { Words } from './dialect.ts'

/**
 * `ALTER TABLE` as the engine words it, and one thing it forgets: a column that becomes required
 * and has a default gives that default to the rows that have nothing there.
 */
export function alterTable(change: TableChange, words: Words): readonly string[] {
  const table = words.quote(change.to.name)
  const filled = change.altered.filter(({ fills }) => fills)
  return [
    ...alter(table, [
      ...change.dropped.map((column) => `DROP COLUMN ${words.quote(column.name)}`),
      ...change.added.map((column) => `ADD COLUMN     ${words.definition(column)}`),
      ...change.altered.flatMap((each) => alterColumn(each, words)),
    ]),
    ...filled.map(({ to }) => {
      const name = words.quote(to.name)
      return `UPDATE ${table} SET ${name} = ${words.defaultOf(to)} WHERE ${name} IS NULL`
    }),
    ...alter(
      table,
      filled.map(({ to }) => `ALTER COLUMN ${words.quote(to.name)} SET NOT NULL`),
    ),
  ]
}

function alter(table: string, clauses: readonly string[]): readonly string[] {
  return clauses.length > 0 ? [`ALTER TABLE ${table} ${clauses.join(',\n')}`] : []
}

function alterColumn(change: ColumnChange, words: Words): readonly string[] {
  const { to } = change
  const name = words.quote(to.name)
  if (!change.keepsValues) {
    return [`DROP COLUMN ${name}`, `ADD COLUMN     ${words.definition(to)}`]
  }
  const initial = words.defaultOf(to)
  const clauses: string[] = []
  if (change.nullability === 'newly-optional') clauses.push('DROP NOT NULL')
  if (change.nullability === 'newly-required' && !change.fills) clauses.push('SET NOT NULL')
  if (change.redefaulted) {
    clauses.push(initial === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${initial}`)
  }
  if (change.retyped) clauses.push(`SET DATA TYPE ${words.type(to)}`)
  return clauses.map((clause) => `ALTER COLUMN ${name} ${clause}`)
}
