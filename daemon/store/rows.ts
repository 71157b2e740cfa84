import type { Insertable } from 'kysely'
import type { Changes } from './schema.ts'

/** Types the row of a complete draft: a complete draft yields every column. */
export function allColumns<Table>(row: Changes<Table>): Insertable<Table> {
  return row as Insertable<Table>
}

/** Returns whether no field is set. SQL cannot update zero columns. */
export function isEmpty(changes: object): boolean {
  return Object.values(changes).every((value) => value === undefined)
}

/** Returns the row of a statement with `RETURNING`. Throws if there is none. */
export function returnedRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** Parses a JSON column. Trusts its type, because the daemon wrote it. */
export function fromJson<Value>(text: string): Value {
  return JSON.parse(text) as Value
}

/** Replaces NUL characters, for example in program output: SQLite would cut the string there. */
export function withoutNul<Text extends string | null | undefined>(text: Text): Text {
  return (text?.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text) as Text
}
