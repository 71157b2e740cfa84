import type { Sealed } from '../domain/records.ts'
import type { Schema } from './schema.ts'

/** A column whose values the vault has sealed. */
export interface SealedColumn {
  readonly table: SealedTable
  readonly column: string
}

type SealedNames<Table> = {
  [Column in keyof Table]-?: Exclude<Table[Column], null> extends Sealed ? Column : never
}[keyof Table]
type SealedTable = {
  [Name in keyof Schema]: SealedNames<Schema[Name]> extends never ? never : Name
}[keyof Schema]

/** Every one of the schema: the type leaves none out, in tables and in columns. */
const columns: {
  readonly [Name in SealedTable]: Readonly<Record<SealedNames<Schema[Name]>, true>>
} = {
  projects: { git_token: true },
  secrets: { value: true },
  nodes: { tls_key: true },
}

/** What a rotation seals anew and what the check of a backup opens. */
export const sealedColumns: readonly SealedColumn[] = Object.entries(columns).flatMap(
  ([table, names]) => Object.keys(names).map((column) => ({ table: table as SealedTable, column })),
)
