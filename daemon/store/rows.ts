import type { Insertable } from 'kysely'
import type { Changes } from './schema.ts'

/** The row of a whole draft: what makes a row of changes leaves no column out when nothing is left out. */
export function whole<Table>(row: Changes<Table>): Insertable<Table> {
  return row as Insertable<Table>
}

/** Tells whether changes say anything: SQL has no update of nothing. */
export function isEmpty(changes: object): boolean {
  return Object.values(changes).every((value) => value === undefined)
}

/** The row that a statement with `RETURNING` must have given. */
export function one<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('the statement returned no row')
  return row
}

/** What a column with JSON holds. We wrote it ourselves, from a value of this type. */
export function fromJson<Value>(text: string): Value {
  return JSON.parse(text) as Value
}

/** Free text, as the output of a program: SQLite would end it at a NUL. */
export function withoutNul<Text extends string | null | undefined>(text: Text): Text {
  return (text?.includes('\0') ? text.replaceAll('\0', '\u{fffd}') : text) as Text
}
