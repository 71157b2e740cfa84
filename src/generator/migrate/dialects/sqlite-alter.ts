import type { TableChange } from '../table-change.ts'
import { type Column, foreignKeyName, type Table } from '../tables.ts'

interface SqliteParts {
  quote(name: string): string
  definition(column: Column): string
}

/**
 * Returns true if SQLite can make the change in place: drop columns, and add columns that are optional or have a
 * constant default. Prisma's engine rebuilds the table instead, which also drops a person's own triggers.
 */
export function isAlterable(change: TableChange): boolean {
  const { added, altered, droppedKeys, createdKeys } = change
  return (
    altered.length === 0 &&
    droppedKeys.length === 0 &&
    // SQLite adds a foreign key only together with its column, and only if the column starts with NULL.
    createdKeys.every(({ column }) => added.includes(column) && startsWithNull(column)) &&
    added.every((column) => isAddable(column))
  )
}

/** Alters a table in place. */
export function alterTable(change: TableChange, parts: SqliteParts): readonly string[] {
  const table = `ALTER TABLE ${parts.quote(change.to.name)}`
  return [
    ...change.dropped.map((column) => `${table} DROP COLUMN ${parts.quote(column.name)}`),
    ...change.added.map(
      (column) =>
        `${table} ADD COLUMN ${parts.definition(column)}${reference(change.to, column, parts)}`,
    ),
  ]
}

// `ALTER TABLE … ADD COLUMN` refuses a default that is not a constant.
function isAddable(column: Column): boolean {
  return column.default?.kind !== 'now' && (column.nullable || column.default !== undefined)
}

function startsWithNull(column: Column): boolean {
  return column.nullable && column.default === undefined
}

function reference(table: Table, column: Column, { quote }: SqliteParts): string {
  const key = table.foreignKeys.find((each) => each.column === column)
  if (!key) return ''
  const name = quote(foreignKeyName(table, key, Number.POSITIVE_INFINITY))
  return ` CONSTRAINT ${name} REFERENCES ${quote(key.table)} ("id") ON DELETE ${key.cascade ? 'CASCADE' : 'RESTRICT'} ON UPDATE CASCADE`
}
