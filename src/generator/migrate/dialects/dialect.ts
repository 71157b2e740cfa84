import type { FieldKind, StoreKind } from '../../model/model.ts'
import type { Folded, TableChange } from '../changes.ts'
import type { Column, ForeignKey, Index, Table } from '../tables.ts'

/** All that differs between two relational stores. A further one is one more record. */
export interface Dialect {
  readonly kind: StoreKind
  /** `provider` of the datasource in `schema.prisma` and in `migration_lock.toml` */
  readonly provider: string
  /** Characters in the longest name of an index or a constraint. */
  readonly longestName: number
  /** Prisma's word for a key that keeps what it refers to. */
  readonly restrict: 'Restrict' | 'NoAction'
  readonly limits: Limits
  /** The native type in `schema.prisma`, as `Decimal(10, 2)`. Absent: what Prisma takes by itself. */
  native(column: Column): string | undefined
  readonly literals: Literals
  readonly sql: Statements
}

/** What the store does not hold; broken ones are refused by the field's name. */
export interface Limits {
  /** Digits, and how many of them may stand behind the point. */
  readonly decimal: { readonly precision: number; readonly scale: number; readonly why: string }
  /** Kinds the store has no column for, and why. */
  readonly refused: Readonly<Partial<Record<FieldKind, string>>>
}

/** Defaults as SQL. */
export interface Literals {
  string(value: string): string
  text(value: string): string
  json(value: string): string
  bool(value: boolean): string
  date(value: Date): string
  datetime(value: Date): string
  /** A character by its number in Unicode, for those that can't be seen in a file. */
  codePoint(value: number): string
  /** The default of a `date` that is `now`. */
  readonly today: string
  /** The default of a `datetime` that is `now`. */
  readonly now: string
}

/** Statements come without their `;`. */
export interface Statements {
  type(column: Column): string
  createTable(table: Table): string
  /** Those of a new table that `createTable` does not say. */
  indexesApart(table: Table): readonly Index[]
  createIndex(table: Table, index: Index): string
  dropIndex(table: Table, index: Index): string
  dropTable(table: Table): readonly string[]
  /** For stores whose foreign keys are not a part of `createTable`. */
  readonly foreignKeys?: KeyStatements
  /** For stores that add a column in place: gives all rows the folded text of `source` in `column`. */
  fold?(table: Table, folded: Folded): string
  /** Changes that leave the table in its place; none where `rebuilds` says so. */
  alterTable(change: TableChange): readonly string[]
  /** Whether a changed column's indexes must be dropped before and made again after. */
  readonly dropsIndexesToAlter: boolean
  /** Whether an index of several columns lives on without one that is dropped. */
  readonly cutsIndexes: boolean
  /** For stores that change a table by copying it. */
  readonly rebuild?: Rebuild
  /**
   * For stores whose type says less than the field's: an expression over the quoted `column` that
   * brings its values from one type to another. Absent or undefined: they can stay as they are.
   */
  convert?(from: Column, to: Column, column: string): string | undefined
  /** Around the whole migration. */
  readonly transaction?: { readonly begin: string; readonly commit: string }
}

export interface KeyStatements {
  /** Whether a key must be gone while its index is, and while its column becomes required. */
  readonly standInTheWay: boolean
  add(table: Table, key: ForeignKey): string
  drop(table: Table, key: ForeignKey): string
}

export interface Rebuild {
  /** Whether this change needs it. */
  needed(change: TableChange): boolean
  /** `taken`: names of tables before and after, which a temporary one must not have. */
  statements(changes: readonly TableChange[], taken: ReadonlySet<string>): readonly string[]
}

/** How a dialect says the parts of a statement. */
export interface Words {
  quote(name: string): string
  type(column: Column): string
  definition(column: Column): string
  defaultOf(column: Column): string | undefined
}
