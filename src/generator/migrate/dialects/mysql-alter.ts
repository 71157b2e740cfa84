import type { ColumnChange, TableChange } from '../table-change.ts'
import { alterTableStatement, fillNulls } from './alter-table.ts'
import type { StatementParts } from './dialect.ts'

const separator = ',\n    '

/**
 * Alters a table. MySQL repeats the whole definition of a changed column. If a column with a default
 * becomes required, the default first replaces NULL in the existing rows.
 */
export function alterTable(change: TableChange, parts: StatementParts): readonly string[] {
  const table = parts.quote(change.to.name)
  const filled = change.altered.filter(({ fills }) => fills)
  const recreated = change.altered.filter(({ keepsValues }) => !keepsValues)
  return [
    // Use a separate statement: if one statement drops and adds the column, the column keeps its indexes.
    ...alterTableStatement(
      table,
      recreated.map(({ from }) => `DROP COLUMN ${parts.quote(from.name)}`),
      separator,
    ),
    ...alterTableStatement(
      table,
      [
        ...change.dropped.map((column) => `DROP COLUMN ${parts.quote(column.name)}`),
        ...change.added.map((column) => `ADD COLUMN ${parts.definition(column)}`),
        ...change.altered.flatMap((each) => alterColumn(each, parts)),
      ],
      separator,
    ),
    ...filled.map(({ to }) => fillNulls(table, to, parts)),
    ...alterTableStatement(
      table,
      filled.map(({ to }) => `MODIFY ${parts.definition(to)}`),
      separator,
    ),
  ]
}

function alterColumn(change: ColumnChange, parts: StatementParts): readonly string[] {
  const { to } = change
  const name = parts.quote(to.name)
  if (!change.keepsValues) return [`ADD COLUMN ${parts.definition(to)}`]
  if (change.fills) {
    return change.retyped ? [`MODIFY ${parts.definition({ ...to, nullable: true })}`] : []
  }
  const isOnlyUndefaulted =
    to.default === undefined && !change.retyped && change.nullability === 'same'
  if (isOnlyUndefaulted) return [`ALTER COLUMN ${name} DROP DEFAULT`]
  return [`MODIFY ${parts.definition(to)}`]
}
