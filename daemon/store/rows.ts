import type { Insertable } from 'kysely'
import type { Changes } from './schema.ts'

/** Casts a complete draft to a row: a complete draft sets every column. */
export function allColumns<Table>(row: Changes<Table>): Insertable<Table> {
  return row as Insertable<Table>
}

/** Returns true if no field is set. SQL cannot update zero columns. */
export function isEmpty(changes: object): boolean {
  return Object.values(changes).every((value) => value === undefined)
}

/** Returns the row of a statement with `RETURNING`. Throws if the statement returned no row. */
export function returnedRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** Parses a JSON column. Trusts its type, because the daemon wrote it. */
export function fromJson<Value>(text: string): Value {
  return JSON.parse(text) as Value
}

/** Replaces NUL characters, for example in program output: SQLite would truncate the string there. */
export function withoutNul<Text extends string | null | undefined>(text: Text): Text {
  return (text?.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text) as Text
}
