/**
 * Objects that a person's own migrations added to the database. A rebuild of a table would drop them, so it creates
 * them again.
 */
export interface OwnObjects {
  /** The additions to each table, by the name of the table. */
  readonly tables: ReadonlyMap<string, OwnInTable>
  /** True if the database has views or triggers. SQLite would check them while a table is renamed. */
  readonly hasDependents: boolean
}

export interface OwnInTable {
  /** Definitions of columns as SQL, in the order of the table. */
  readonly columns: readonly OwnColumn[]
  /** Table constraints as SQL: `CHECK (price > 0)`. */
  readonly constraints: readonly string[]
  /** `CREATE INDEX` and `CREATE TRIGGER` statements. */
  readonly statements: readonly string[]
}

export interface OwnColumn {
  readonly name: string
  readonly definition: string
  /** Generated columns have no stored value to copy. */
  readonly isGenerated: boolean
}

export const nothingOwn: OwnObjects = { tables: new Map(), hasDependents: false }
