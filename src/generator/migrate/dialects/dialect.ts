import type { FieldKind } from '../../model/field-kinds.ts'
import type { StoreKind } from '../../model/store-kinds.ts'
import type { OwnObjects } from '../own-objects.ts'
import type { FoldedColumn, TableChange } from '../table-change.ts'
import type { TableRename } from '../table-rename.ts'
import type { Column, ForeignKey, Index, Table } from '../tables.ts'

/** The differences between relational stores. Another store needs only another value of this type. */
export interface Dialect {
  readonly kind: StoreKind
  /** `provider` of the datasource in `schema.prisma` and in `migration_lock.toml` */
  readonly provider: string
  /** Maximum number of characters in the name of an index or a constraint. */
  readonly longestName: number
  /** Prisma's keyword for a foreign key that prevents deletion of the referenced row. */
  readonly restrict: 'Restrict' | 'NoAction'
  readonly limits: Limits
  /** Returns the native type in `schema.prisma`, such as `Decimal(10, 2)`, or `undefined` for Prisma's default. */
  native(column: Column): string | undefined
  readonly literals: Literals
  /** Returns the default `now` in `schema.prisma`. Set if the store needs another default than Prisma's `now()`. */
  nowInSchema?(kind: 'date' | 'datetime'): string
  readonly sql: Statements
}

/** Limits of the store. A field above a limit is refused by name. */
export interface Limits {
  /** Maximum precision and scale of a decimal. `why` completes the sentence of the message. */
  readonly decimal: { readonly precision: number; readonly scale: number; readonly why: string }
  /** Field kinds without a column type, with the reason. */
  readonly refused: Readonly<Partial<Record<FieldKind, string>>>
}

/** Prints default values as SQL. */
export interface Literals {
  string(value: string): string
  text(value: string): string
  json(value: string): string
  bool(value: boolean): string
  date(value: Date): string
  datetime(value: Date): string
  /** Prints an invisible character as an SQL expression of its code point. */
  codePoint(value: number): string
  /** SQL of the default `now` of a `date`. */
  readonly today: string
  /** SQL of the default `now` of a `datetime`. */
  readonly now: string
}

/** Prints SQL statements, without the final `;`. */
export interface Statements {
  type(column: Column): string
  createTable(table: Table): string
  /** Returns the indexes of a new table that `createTable` does not create. */
  separateIndexes(table: Table): readonly Index[]
  createIndex(table: Table, index: Index): string
  dropIndex(table: Table, index: Index): string
  dropTable(table: Table): readonly string[]
  /** Set if `createTable` does not create the foreign keys. */
  readonly foreignKeys?: KeyStatements
  /** Stores the folded text of `source` in `column` of all rows. Set if columns can be added in place. */
  fold?(table: Table, folded: FoldedColumn): string
  /** Converts the text of a column to lower case in all rows. */
  lowerCase(table: Table, column: Column): string
  /** Changes a table in place. Not called if `rebuild.needed` is true. */
  alterTable(change: TableChange): readonly string[]
  /** True if the indexes of a changed column must be dropped before the change and created again after it. */
  readonly dropsIndexesToAlter: boolean
  /** True if dropping a column only removes it from an index of several columns. */
  readonly trimsIndexes: boolean
  /** Set if some changes need a copy of the table. */
  readonly rebuild?: Rebuild
  /**
   * Returns an expression over the quoted `column` that converts stored values to another type, or `undefined` if no
   * conversion is needed. Set if the store does not convert values itself.
   */
  convert?(from: Column, to: Column, column: string): string | undefined
  /** Renames tables, columns, indexes and constraints. Every row and every object of a person's own stays. */
  rename(renames: readonly TableRename[]): readonly RenameStep[]
  /** Text before and after the whole migration. */
  readonly transaction?: { readonly begin: string; readonly commit: string }
}

/** Statements of a rename, without the final `;`, with the title of their comment. */
export interface RenameStep {
  readonly title: string
  readonly statements: readonly string[]
}

export interface KeyStatements {
  /** True if a key must be dropped before its index is dropped or its column becomes required. */
  readonly blockChanges: boolean
  add(table: Table, key: ForeignKey): string
  drop(table: Table, key: ForeignKey): string
}

export interface Rebuild {
  /** Returns true if the change needs a copy of the table. */
  needed(change: TableChange): boolean
  /**
   * Rebuilds tables, with the objects of a person's own migrations. `taken` contains all table names, which a
   * temporary table must not use.
   */
  statements(
    changes: readonly TableChange[],
    taken: ReadonlySet<string>,
    own: OwnObjects,
  ): readonly string[]
  /** Keeps the values of columns that a table may have, before the migrations of two branches. */
  keep(table: BranchTable): string
  /** Replaces tables that two branches changed, after their migrations. */
  merge(
    tables: readonly BranchTable[],
    taken: ReadonlySet<string>,
    own: OwnObjects,
  ): readonly string[]
}

/**
 * A table that two branches changed, of which at least one rebuilds it. Depending on its branch, a database has lost the
 * columns of the other one.
 */
export interface BranchTable {
  readonly table: Table
  /** The columns that not every database has, or whose values a rebuild may have dropped. */
  readonly uncertain: readonly Column[]
  /** The table with the values from before the migrations of the branches. */
  readonly kept: string
}

/** Prints the parts of a statement in one dialect. */
export interface StatementParts {
  quote(name: string): string
  type(column: Column): string
  definition(column: Column): string
  defaultOf(column: Column): string | undefined
}
