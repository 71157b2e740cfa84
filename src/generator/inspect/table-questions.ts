import { compareTables } from '../migrate/compare-tables.ts'
import { dialectOf } from '../migrate/dialects/registry.ts'
import { isWidened } from '../migrate/losses.ts'
import { family, textLength } from '../migrate/retype.ts'
import type { ColumnChange, TableChange } from '../migrate/table-change.ts'
import { type Column, type Table, tablesOf } from '../migrate/tables.ts'
import type { Model } from '../model/model.ts'
import type { Asked, RecordTest } from './question.ts'
import type { ValueRule } from './value-rule.ts'

/** Lists the questions about a migration between two models of a relational kind. */
export function tableQuestions(from: Model, to: Model): readonly Asked[] {
  const changes = compareTables(tablesOf(from), tablesOf(to), dialectOf(to.database))
  return [
    ...changes.dropped.map(droppedTable),
    ...changes.altered.flatMap((change) => [
      ...change.dropped.flatMap((column) => droppedColumn(change, column)),
      ...change.added.flatMap((column) => addedColumn(change, column)),
      ...change.altered.flatMap((each) => changedColumn(change, each)),
      ...danglingKeys(change),
      ...sharedValues(change),
    ]),
  ]
}

function droppedTable({ name, isJoin }: Table): Asked {
  const test: RecordTest = isJoin
    ? { kind: 'links', relation: name.replace(/^_/, '') }
    : { kind: 'all' }
  return { table: name, test, effect: 'dropped' }
}

function droppedColumn({ from }: TableChange, { name, foldOf }: Column): readonly Asked[] {
  if (foldOf !== undefined) return []
  return [{ table: from.name, test: { kind: 'present', column: name }, effect: 'lost' }]
}

function addedColumn({ from }: TableChange, column: Column): readonly Asked[] {
  if (column.nullable || column.default !== undefined) return []
  return [{ table: from.name, test: { kind: 'all', column: column.name }, effect: 'refused' }]
}

function changedColumn({ from: table }: TableChange, change: ColumnChange): readonly Asked[] {
  const { from, to, keepsValues, retyped, nullability } = change
  const column = from.name
  const at = table.name
  const isRequired = !to.nullable && to.default === undefined
  if (!keepsValues) {
    return [
      { table: at, test: { kind: 'present', column }, effect: 'lost' },
      ...(isRequired
        ? [{ table: at, test: { kind: 'all', column } as const, effect: 'refused' as const }]
        : []),
    ]
  }
  return [
    ...(retyped ? conversion(from, to) : []).map(
      ({ rule, effect }): Asked => ({ table: at, test: { kind: 'unfit', column, rule }, effect }),
    ),
    ...(nullability === 'newly-required' && isRequired
      ? [{ table: at, test: { kind: 'missing', column } as const, effect: 'refused' as const }]
      : []),
  ]
}

interface Conversion {
  readonly rule: ValueRule
  readonly effect: 'refused' | 'cut'
}

/** Returns the rules of the new type that converted values may break. */
function conversion(from: Column, to: Column): readonly Conversion[] {
  if (isWidened(from, to)) return []
  if (family(to) === 'text') {
    const limit = textLength(to)
    return Number.isFinite(limit)
      ? [{ rule: { kind: 'max-length', limit }, effect: 'refused' }]
      : []
  }
  if (to.type.kind === 'date' && from.type.kind === 'datetime')
    return [{ rule: { kind: 'midnight' }, effect: 'cut' }]
  if (to.type.kind === 'decimal') return [{ rule: to.type, effect: 'cut' }]
  const isWhole = to.type.kind === 'int' || to.type.kind === 'uint'
  return isWhole && from.type.kind !== 'int' && from.type.kind !== 'uint'
    ? [{ rule: { kind: 'whole' }, effect: 'cut' }]
    : []
}

function danglingKeys({ from, to, createdKeys, altered }: TableChange): readonly Asked[] {
  if (to.isJoin) return []
  return createdKeys.flatMap(({ column: { name }, table: target }): Asked[] => {
    const hasValues = from.columns.some((column) => column.name === name)
    const isEmpty = altered.some((each) => each.to.name === name && !each.keepsValues)
    const before = from.foreignKeys.find((key) => key.column.name === name)
    if (!hasValues || isEmpty || before?.table === target) return []
    const test = { kind: 'dangling', column: name, target } as const
    return [{ table: from.name, test, effect: 'refused' }]
  })
}

function sharedValues({ from, to, altered }: TableChange): readonly Asked[] {
  const key = (columns: readonly Column[]) => columns.map(({ name }) => name).join()
  const known = new Set(
    from.indexes.filter(({ unique }) => unique).map((each) => key(each.columns)),
  )
  const isStored = ({ name }: Column) =>
    from.columns.some((column) => column.name === name) &&
    !altered.some((each) => each.to.name === name && !each.keepsValues)
  return to.indexes
    .filter(({ unique, columns }) => unique && !known.has(key(columns)) && columns.every(isStored))
    .map(({ columns }) => ({
      table: from.name,
      test: {
        kind: 'shared',
        columns: columns.map(({ name }) => name),
        folds: columns[0].type.kind === 'email',
      },
      effect: 'refused',
    }))
}
