import type { Column } from '../tables.ts'
import type { StatementParts } from './dialect.ts'

/** Returns one `ALTER TABLE` with all clauses, or no statement without clauses. `table` is quoted. */
export function alterTableStatement(
  table: string,
  clauses: readonly string[],
  separator = ',\n',
): readonly string[] {
  return clauses.length > 0 ? [`ALTER TABLE ${table} ${clauses.join(separator)}`] : []
}

/** Replaces NULL in a column by the column's default. `table` is quoted. */
export function fillNulls(
  table: string,
  column: Column,
  { quote, defaultOf }: Pick<StatementParts, 'quote' | 'defaultOf'>,
): string {
  const name = quote(column.name)
  return `UPDATE ${table} SET ${name} = ${defaultOf(column)} WHERE ${name} IS NULL`
}
