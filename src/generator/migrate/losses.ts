import { printGroup } from '../model/field-groups.ts'
import { family, textLength } from './retype.ts'
import type { Changes, ColumnChange, TableChange } from './table-change.ts'
import type { Column, ForeignKey, Index, Table } from './tables.ts'

/**
 * Returns the sentences that a person must accept with `--allow-destructive`: one for each loss of data, and
 * for each change that can fail on existing rows.
 */
export function losses({ dropped, altered }: Changes): readonly string[] {
  return [
    ...dropped.map((table) =>
      table.isJoin
        ? `the relation ${linkName(table)} is dropped with all its links`
        : `table ${table.name} is dropped with all its rows`,
    ),
    ...altered.flatMap(tableLosses),
  ]
}

function tableLosses(change: TableChange): readonly string[] {
  const at = (column: Column) => `${change.to.name}.${column.name}`
  const failsOnRows = `the migration fails if ${change.to.name} has rows`
  const added = change.added.filter((column) => !column.nullable && column.default === undefined)
  return [
    ...change.dropped
      .filter(({ foldOf }) => foldOf === undefined)
      .map((column) => `${at(column)} is dropped with its values`),
    ...added.map((column) => `${at(column)} is required and has no default: ${failsOnRows}`),
    ...change.altered.flatMap((each) => columnLosses(each, at(each.to), failsOnRows)),
    ...retargetedKeys(change).map(({ column, table }) => {
      const what = change.to.isJoin ? `a link of ${linkName(change.to)}` : at(column)
      return `${what} now refers to ${table}: the migration fails if a value is not an id of ${table}`
    }),
    ...duplicateRisks(change).map(({ columns: [column, ...others] }) =>
      others.length === 0
        ? `${at(column)} is unique: the migration fails if two rows would have the same value`
        : `${change.to.name} is unique by ${printGroup([column, ...others].map(({ name }) => name))}: the migration fails if two rows have the same values`,
    ),
  ]
}

/** Lists the foreign keys whose existing values referred to no table or to another table. */
function retargetedKeys({ from, createdKeys, altered }: TableChange): readonly ForeignKey[] {
  return createdKeys.filter(({ column: { name }, table }) => {
    const isRecreated = altered.some(({ to, keepsValues }) => to.name === name && !keepsValues)
    const before = from.foreignKeys.find((key) => key.column.name === name)
    const hasValues = from.columns.some((column) => column.name === name)
    return hasValues && !isRecreated && before?.table !== table
  })
}

function linkName({ name }: Table): string {
  return name.replace(/^_/, '')
}

function columnLosses(change: ColumnChange, at: string, failsOnRows: string): readonly string[] {
  const { from, to, nullability } = change
  const becomes = `${at} changes from ${typeName(from)} to ${typeName(to)}`
  const isRequired = !to.nullable && to.default === undefined
  if (!change.keepsValues) {
    return [`${becomes}: its values are lost${isRequired ? `, and ${failsOnRows}` : ''}`]
  }
  const sentences: string[] = []
  if (change.retyped && !isWidened(from, to)) sentences.push(`${becomes}: ${conversion(from, to)}`)
  if (nullability === 'newly-required' && isRequired) {
    sentences.push(`${at} becomes required: the migration fails if a row has no value`)
  }
  return sentences
}

/** Returns true if every value of the first type fits the second one. */
export function isWidened(from: Column, to: Column): boolean {
  if (family(to) === 'text') return longestText(from) <= textLength(to)
  if (from.type.kind === 'date' && to.type.kind === 'datetime') return true
  if (from.type.kind === 'int' || from.type.kind === 'uint') return to.type.kind === 'float'
  if (from.type.kind !== 'decimal' || to.type.kind !== 'decimal') return false
  const [before, after] = [from.type, to.type]
  const whole = after.precision - after.scale >= before.precision - before.scale
  return whole && after.scale >= before.scale
}

/** Returns the maximum characters of a stored value as text. */
function longestText(column: Column): number {
  const { type, longest } = column
  if (family(column) === 'text') return longest ?? textLength(column)
  return type.kind === 'decimal'
    ? type.precision + decimalSigns
    : (printedLength[type.kind] ?? Number.POSITIVE_INFINITY)
}

/** A minus sign, a leading zero and a point. */
const decimalSigns = 3

// Times are as long as the longest form of any store.
const printedLength: Readonly<Partial<Record<Column['type']['kind'], number>>> = {
  int: 11,
  uint: 10,
  float: 25,
  bool: 5,
  date: 35,
  datetime: 35,
  uuid: 36,
}

function conversion(from: Column, to: Column): string {
  if (family(from) === 'text') return 'the migration fails if a value is longer'
  if (family(to) === 'text') {
    return 'its values become text, and the migration fails if one is too long'
  }
  if (family(to) === 'number') {
    return 'its values are rounded, and the migration fails if one is too large'
  }
  return 'the time of day is lost'
}

/** Lists the unique indexes whose columns may contain duplicates: new ones, and those with rounded values. */
function duplicateRisks({ from, to, added, altered }: TableChange): readonly Index[] {
  const key = ({ columns }: Index) => columns.map(({ name }) => name).join()
  const known = new Set(from.indexes.filter(({ unique }) => unique).map(key))
  const changeOf = (column: Column) => altered.find((each) => each.to === column)
  // A column without a default has only NULL in existing rows, which never collides.
  const isEmpty = (column: Column) =>
    column.default === undefined &&
    (added.includes(column) || changeOf(column)?.keepsValues === false)
  const isRisen = (column: Column) => {
    const change = changeOf(column)
    return change !== undefined && isRounded(change)
  }
  return to.indexes
    .filter(({ unique }) => unique)
    .filter(({ columns }) => !columns.some(isEmpty))
    .filter((index) => !known.has(key(index)) || index.columns.some(isRisen))
}

function isRounded({ from, to, retyped }: ColumnChange): boolean {
  const isSameFamily = family(from) === family(to) && family(to) !== 'text'
  return retyped && isSameFamily && !isWidened(from, to)
}

function typeName({ type, length }: Column): string {
  if (type.kind === 'decimal') return `decimal(${type.precision},${type.scale})`
  return type.kind === 'string' ? `string of ${length}` : type.kind
}
