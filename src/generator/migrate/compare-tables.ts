import { defaultSql } from './default-sql.ts'
import type { Dialect } from './dialects/dialect.ts'
import { keepsValues } from './retype.ts'
import type { Changes, ColumnChange, FoldedColumn, TableChange } from './table-change.ts'
import type { Column, ForeignKey, Index, Table } from './tables.ts'

/** Returns the changes from one set of tables to another. Tables and columns match by name. */
export function compareTables(
  from: readonly Table[],
  to: readonly Table[],
  dialect: Dialect,
): Changes {
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
  const isOld = (index: Index) => from.indexes.some((each) => isSameIndex(each, index))
  const isTouched = (index: Index) =>
    index.columns.some(({ name }) => touched.some((each) => each.to.name === name))
  const mustBeDropped = (index: Index) =>
    dialect.sql.dropsIndexesToAlter || (dialect.sql.trimsIndexes && index.columns.length > 1)
  const droppedIndexes = from.indexes.filter(
    (index) =>
      !to.indexes.some((each) => isSameIndex(each, index)) ||
      (mustBeDropped(index) && isTouched(index)),
  )
  const isBlocking = ({ column: { name } }: ForeignKey) =>
    dialect.sql.foreignKeys?.blockChanges === true &&
    (droppedIndexes.some(({ columns }) => columns[0].name === name) ||
      altered.some((each) => each.to.name === name && each.nullability === 'newly-required'))
  return {
    from,
    to,
    dropped: byName(without(from.columns, to.columns)),
    added,
    altered,
    droppedIndexes,
    createdIndexes: to.indexes.filter((index) => !isOld(index) || isTouched(index)),
    droppedKeys: from.foreignKeys.filter(
      (key) => isBlocking(key) || !to.foreignKeys.some((each) => isSameKey(each, key)),
    ),
    createdKeys: to.foreignKeys.filter(
      (key) => isBlocking(key) || !from.foreignKeys.some((each) => isSameKey(each, key)),
    ),
    folded: foldedColumns(to, added, altered),
  }
}

function foldedColumns(
  { columns }: Table,
  added: readonly Column[],
  altered: readonly ColumnChange[],
): readonly FoldedColumn[] {
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

// Prisma's engine repeats the default if an integer column becomes float or decimal.
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

// Prisma's engine sorts these lists by name.
function byName<T extends Named>(list: readonly T[]): readonly T[] {
  return list.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
