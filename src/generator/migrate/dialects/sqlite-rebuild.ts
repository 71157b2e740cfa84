import type { TableChange } from '../changes.ts'
import type { Column, Index, Table } from '../tables.ts'
import type { Rebuild } from './dialect.ts'

interface Words {
  quote(name: string): string
  createTable(table: Table, name: string): string
  createIndex(table: Table, index: Index): string
  defaultOf(column: Column): string | undefined
  convert(from: Column, to: Column, column: string): string | undefined
  fold(text: string): string
}

// The form the driver adapter writes; a `CURRENT_TIMESTAMP` would sort before all of the same day.
const instants: Readonly<Partial<Record<Column['type']['kind'], string>>> = {
  date: "strftime('%Y-%m-%dT00:00:00.000+00:00', 'now')",
  datetime: "strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')",
}

/**
 * SQLite can add an optional column and not much else: a table is changed by making the new one
 * beside it, copying the rows and taking its name.
 */
export function rebuildOf(words: Words): Rebuild {
  return {
    needed: ({ dropped, added, altered, droppedKeys, createdKeys }) =>
      [dropped, altered, droppedKeys, createdKeys].some((list) => list.length > 0) ||
      added.some((column) => !isAddable(column)),
    statements: (changes, taken) => [
      'PRAGMA defer_foreign_keys=ON',
      'PRAGMA foreign_keys=OFF',
      ...changes.flatMap((change) => rebuild(change, taken, words)),
      'PRAGMA foreign_keys=ON',
      'PRAGMA defer_foreign_keys=OFF',
    ],
  }
}

// `ALTER TABLE … ADD COLUMN` refuses a default that is not a constant.
function isAddable(column: Column): boolean {
  return column.nullable && column.default?.kind !== 'now'
}

function rebuild(change: TableChange, taken: ReadonlySet<string>, words: Words): readonly string[] {
  const { from, to } = change
  const temporary = freeName(`new_${to.name}`, taken)
  const columns = to.columns.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const copied = columns.flatMap((column) => {
    const source = sourceOf(column, change, words)
    return source === undefined ? [] : [{ name: words.quote(column.name), source }]
  })
  const names = copied.map(({ name }) => name).join(', ')
  const sources = copied.map(({ source }) => source).join(', ')
  const [old, made] = [words.quote(from.name), words.quote(temporary)]
  return [
    words.createTable(to, temporary),
    `INSERT INTO ${made} (${names}) SELECT ${sources} FROM ${old}`,
    `DROP TABLE ${old}`,
    `ALTER TABLE ${made} RENAME TO ${words.quote(to.name)}`,
    ...to.indexes.map((index) => words.createIndex(to, index)),
  ]
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`new_${name}`, taken) : name
}

/** What a row's new value is made of; undefined where the column's own default is right. */
function sourceOf(column: Column, change: TableChange, words: Words): string | undefined {
  const value = expressionOf(column, change, words)
  const isFilled = change.altered.some(({ to, fills }) => fills && to === column)
  return isFilled ? `${value} AS ${words.quote(column.name)}` : value
}

function expressionOf(column: Column, change: TableChange, words: Words): string | undefined {
  const folded = change.folded.find((each) => each.column === column)
  if (folded) {
    const { source } = folded
    return words.fold(expressionOf(source, change, words) ?? words.defaultOf(source) ?? "''")
  }
  const altered = change.altered.find(({ to }) => to.name === column.name)
  const isNew = change.added.includes(column) || altered?.keepsValues === false
  const instant = column.default?.kind === 'now' ? instants[column.type.kind] : undefined
  if (isNew) return instant
  const name = words.quote(column.name)
  const value = altered && words.convert(altered.from, altered.to, name)
  if (!altered?.fills) return value ?? name
  return `coalesce(${value ?? name}, ${instant ?? words.defaultOf(column)})`
}
