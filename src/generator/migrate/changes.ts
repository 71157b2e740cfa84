import { defaultSql } from './default-sql.ts'
import type { Dialect } from './dialects/dialect.ts'
import { keepsValues } from './retype.ts'
import type { Column, ForeignKey, Index, Table } from './tables.ts'

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
  /** In the order the columns had before. */
  readonly altered: readonly ColumnChange[]
  readonly droppedIndexes: readonly Index[]
  /** New ones, and those that fell with a column and come again with it. */
  readonly createdIndexes: readonly Index[]
  readonly droppedKeys: readonly ForeignKey[]
  readonly createdKeys: readonly ForeignKey[]
  /** Columns whose rows must be folded anew. */
  readonly folded: readonly Folded[]
}

export interface Folded {
  readonly column: Column
  /** The column of text whose folded form it holds. */
  readonly source: Column
}

export interface ColumnChange {
  readonly from: Column
  readonly to: Column
  /** The column's type changes in the store, or its values must. */
  readonly retyped: boolean
  /** False: the column is dropped and made again. */
  readonly keepsValues: boolean
  readonly nullability: 'same' | 'newly-optional' | 'newly-required'
  readonly redefaulted: boolean
  /** Newly required: rows that have nothing there get the default. */
  readonly fills: boolean
}

/** What brings a store from one set of tables to another, matched by their names. */
export function compare(from: readonly Table[], to: readonly Table[], dialect: Dialect): Changes {
  return {
    created: without(to, from),
    dropped: without(from, to),
    altered: pairs(from, to)
      .map((pair) => compareTable(pair, dialect))
      .filter(hasChanges),
  }
}

interface Named {
  readonly name: string
}

interface Pair<T> {
  readonly from: T
  readonly to: T
}

function compareTable({ from, to }: Pair<Table>, dialect: Dialect): TableChange {
  const altered = pairs(from.columns, to.columns)
    .map((pair) => compareColumn(pair, dialect))
    .filter((each) => each.retyped || each.redefaulted || each.nullability !== 'same')
  const touched = altered.filter((each) => dialect.sql.dropsIndexesToAlter || !each.keepsValues)
  const added = byName(without(to.columns, from.columns))
  const isKept = (index: Index) => from.indexes.some((each) => isSameIndex(each, index))
  const isTouched = (index: Index) =>
    index.columns.some(({ name }) => touched.some((each) => each.to.name === name))
  const mustGo = (index: Index) =>
    dialect.sql.dropsIndexesToAlter || (dialect.sql.cutsIndexes && index.columns.length > 1)
  const droppedIndexes = from.indexes.filter(
    (index) =>
      !to.indexes.some((each) => isSameIndex(each, index)) || (mustGo(index) && isTouched(index)),
  )
  const isInTheWay = ({ column: { name } }: ForeignKey) =>
    dialect.sql.foreignKeys?.standInTheWay === true &&
    (droppedIndexes.some(({ columns }) => columns[0].name === name) ||
      altered.some((each) => each.to.name === name && each.nullability === 'newly-required'))
  return {
    from,
    to,
    dropped: byName(without(from.columns, to.columns)),
    added,
    altered,
    droppedIndexes,
    createdIndexes: to.indexes.filter((index) => !isKept(index) || isTouched(index)),
    droppedKeys: from.foreignKeys.filter(
      (key) => isInTheWay(key) || !to.foreignKeys.some((each) => isSameKey(each, key)),
    ),
    createdKeys: to.foreignKeys.filter(
      (key) => isInTheWay(key) || !from.foreignKeys.some((each) => isSameKey(each, key)),
    ),
    folded: foldedColumns(to, added, altered),
  }
}

function foldedColumns(
  { columns }: Table,
  added: readonly Column[],
  altered: readonly ColumnChange[],
): readonly Folded[] {
  return columns.flatMap((column) => {
    const source = columns.find(({ name }) => name === column.foldOf)
    if (source === undefined) return []
    const hasText = !added.includes(source) || source.default !== undefined
    const isFilled = altered.some(({ to, fills }) => fills && to === source)
    return (added.includes(column) && hasText) || isFilled ? [{ column, source }] : []
  })
}

function compareColumn({ from, to }: Pair<Column>, dialect: Dialect): ColumnChange {
  const { sql } = dialect
  const retyped = sql.type(from) !== sql.type(to) || sql.convert?.(from, to, to.name) !== undefined
  const isKept = !retyped || keepsValues(from, to)
  return {
    from,
    to,
    retyped,
    keepsValues: isKept,
    nullability: nullability(from, to),
    redefaulted: defaultKey(from, dialect) !== defaultKey(to, dialect),
    fills: isKept && from.nullable && !to.nullable && to.default !== undefined,
  }
}

function nullability(from: Column, to: Column): ColumnChange['nullability'] {
  if (from.nullable === to.nullable) return 'same'
  return to.nullable ? 'newly-optional' : 'newly-required'
}

// The engine sets a whole number's default again when the column becomes a fraction's.
function defaultKey(column: Column, { literals }: Dialect): string | undefined {
  const sql = defaultSql(column, literals)
  if (sql === undefined) return undefined
  return ['float', 'decimal'].includes(column.type.kind) ? `fraction ${sql}` : sql
}

function isSameIndex(one: Index, other: Index): boolean {
  return one.unique === other.unique && names(one) === names(other)
}

function isSameKey(one: ForeignKey, other: ForeignKey): boolean {
  return (
    one.column.name === other.column.name &&
    one.table === other.table &&
    one.cascade === other.cascade
  )
}

function names(index: Index): string {
  return index.columns.map((column) => column.name).join()
}

function hasChanges({ dropped, added, altered, ...others }: TableChange): boolean {
  const { droppedIndexes, createdIndexes, droppedKeys, createdKeys } = others
  const lists = [dropped, added, altered, droppedIndexes, createdIndexes, droppedKeys, createdKeys]
  return lists.some((list) => list.length > 0)
}

function pairs<T extends Named>(from: readonly T[], to: readonly T[]): readonly Pair<T>[] {
  return from.flatMap((before): readonly Pair<T>[] => {
    const after = to.find(({ name }) => name === before.name)
    return after ? [{ from: before, to: after }] : []
  })
}

function without<T extends Named>(list: readonly T[], others: readonly T[]): readonly T[] {
  return list.filter(({ name }) => !others.some((other) => other.name === name))
}

// The engine's order, where it has no other.
function byName<T extends Named>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
