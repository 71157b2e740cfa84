import type { ColumnChange, TableChange } from '../table-change.ts'
import { alterTableStatement, fillNulls } from './alter-table.ts'
import type { StatementParts } from './dialect.ts'

/**
 * Alters a table with the statements of Prisma's engine, plus one that the engine lacks: if a column
 * with a default becomes required, the default first replaces NULL in the existing rows.
 */
export function alterTable(change: TableChange, parts: StatementParts): readonly string[] {
  const table = parts.quote(change.to.name)
  const filled = change.altered.filter(({ fills }) => fills)
  return [
    ...alterTableStatement(table, [
      ...change.dropped.map((column) => `DROP COLUMN ${parts.quote(column.name)}`),
      ...change.added.map((column) => `ADD COLUMN     ${parts.definition(column)}`),
      ...change.altered.flatMap((each) => alterColumn(each, parts)),
    ]),
    ...filled.map(({ to }) => fillNulls(table, to, parts)),
    ...alterTableStatement(
      table,
      filled.map(({ to }) => `ALTER COLUMN ${parts.quote(to.name)} SET NOT NULL`),
    ),
  ]
}

function alterColumn(change: ColumnChange, parts: StatementParts): readonly string[] {
  const { to } = change
  const name = parts.quote(to.name)
  if (!change.keepsValues) {
    return [`DROP COLUMN ${name}`, `ADD COLUMN     ${parts.definition(to)}`]
  }
  const initial = parts.defaultOf(to)
  const clauses: string[] = []
  if (change.nullability === 'newly-optional') clauses.push('DROP NOT NULL')
  if (change.nullability === 'newly-required' && !change.fills) clauses.push('SET NOT NULL')
  if (change.redefaulted) {
    clauses.push(initial === undefined ? 'DROP DEFAULT' : `SET DEFAULT ${initial}`)
  }
  if (change.retyped) clauses.push(`SET DATA TYPE ${parts.type(to)}`)
  return clauses.map((clause) => `ALTER COLUMN ${name} ${clause}`)
}
