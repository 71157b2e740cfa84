import type { Column, ForeignKey, Index, Table } from './tables.ts'

/** The difference between two sets of tables. */
export interface Changes {
  readonly created: readonly Table[]
  readonly dropped: readonly Table[]
  readonly altered: readonly TableChange[]
}

export interface TableChange {
  readonly from: Table
  readonly to: Table
  readonly dropped: readonly Column[]
  readonly added: readonly Column[]
  /** Altered columns, in the order of the previous columns. */
  readonly altered: readonly ColumnChange[]
  readonly droppedIndexes: readonly Index[]
  /** New indexes, and indexes to create again because they were dropped with a column. */
  readonly createdIndexes: readonly Index[]
  readonly droppedKeys: readonly ForeignKey[]
  readonly createdKeys: readonly ForeignKey[]
  /** Folded columns to compute for the existing rows. */
  readonly folded: readonly FoldedColumn[]
}

export interface FoldedColumn {
  readonly column: Column
  /** The text column whose folded text `column` stores. */
  readonly source: Column
}

export interface ColumnChange {
  readonly from: Column
  readonly to: Column
  /** The column's type in the store changes, or its values must be converted. */
  readonly retyped: boolean
  /** If false, the column is dropped and created again. */
  readonly keepsValues: boolean
  readonly nullability: 'same' | 'newly-optional' | 'newly-required'
  readonly redefaulted: boolean
  /** The column becomes required and has a default, which replaces NULL in existing rows. */
  readonly fills: boolean
}
