import { quoted } from '../default-sql.ts'
import type { OwnInTable, OwnObjects } from '../own-objects.ts'
import type { TableChange } from '../table-change.ts'
import type { Column, Index, Table } from '../tables.ts'
import type { Rebuild } from './dialect.ts'
import { isAlterable } from './sqlite-alter.ts'
import { currentTime } from './sqlite-current-time.ts'

interface SqliteParts {
  quote(name: string): string
  createTable(table: Table, name: string, own: OwnInTable): string
  createIndex(table: Table, index: Index): string
  defaultOf(column: Column): string | undefined
  convert(from: Column, to: Column, column: string): string | undefined
  fold(text: string): string
}

const instants: Readonly<Partial<Record<Column['type']['kind'], string>>> = currentTime

/**
 * Rebuilds tables: creates the new table, copies the rows, drops the old table and renames the new one. Columns,
 * constraints, indexes and triggers of a person's own migrations are carried over.
 */
export function rebuildOf(parts: SqliteParts): Rebuild {
  return {
    needed: (change) => !isAlterable(change),
    statements: (changes, taken, own) => [
      'PRAGMA defer_foreign_keys=ON',
      'PRAGMA foreign_keys=OFF',
      // A rename would otherwise fail on a view of the table, which does not exist at that moment.
      ...(own.hasDependents ? ['PRAGMA legacy_alter_table=ON'] : []),
      ...changes.flatMap((change) => rebuild(change, taken, own, parts)),
      ...(own.hasDependents ? ['PRAGMA legacy_alter_table=OFF'] : []),
      'PRAGMA foreign_keys=ON',
      'PRAGMA defer_foreign_keys=OFF',
    ],
  }
}

const nothing: OwnInTable = { columns: [], constraints: [], statements: [] }

function rebuild(
  change: TableChange,
  taken: ReadonlySet<string>,
  own: OwnObjects,
  parts: SqliteParts,
): readonly string[] {
  const { from, to } = change
  const ownHere = own.tables.get(from.name) ?? nothing
  const temporary = freeName(`new_${to.name}`, taken)
  const columns = to.columns.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const copied = [
    ...columns.flatMap((column) => {
      const source = sourceOf(column, change, parts)
      return source === undefined ? [] : [{ name: parts.quote(column.name), source }]
    }),
    ...ownHere.columns
      .filter(({ isGenerated }) => !isGenerated)
      .map(({ name }) => ({ name: parts.quote(name), source: parts.quote(name) })),
  ]
  const names = copied.map(({ name }) => name).join(', ')
  const sources = copied.map(({ source }) => source).join(', ')
  const [oldTable, newTable] = [parts.quote(from.name), parts.quote(temporary)]
  return [
    parts.createTable(to, temporary, ownHere),
    `INSERT INTO ${newTable} (${names}) SELECT ${sources} FROM ${oldTable}`,
    ...(to.isJoin ? [] : keepIds(from.name, temporary)),
    `DROP TABLE ${oldTable}`,
    `ALTER TABLE ${newTable} RENAME TO ${parts.quote(to.name)}`,
    ...to.indexes.map((index) => parts.createIndex(to, index)),
    ...ownHere.statements,
  ]
}

/** Copies the counter of AUTOINCREMENT, so that the id of a deleted row is never given again. */
function keepIds(from: string, to: string): readonly string[] {
  return [
    `DELETE FROM "sqlite_sequence" WHERE "name" = ${quoted(to)}`,
    `INSERT INTO "sqlite_sequence" ("name", "seq") SELECT ${quoted(to)}, "seq" FROM "sqlite_sequence" WHERE "name" = ${quoted(from)}`,
  ]
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`new_${name}`, taken) : name
}

/** Returns the expression of a column's new value, or `undefined` if the column's default applies. */
function sourceOf(column: Column, change: TableChange, parts: SqliteParts): string | undefined {
  const value = expressionOf(column, change, parts)
  const isFilled = change.altered.some(({ to, fills }) => fills && to === column)
  return isFilled ? `${value} AS ${parts.quote(column.name)}` : value
}

function expressionOf(column: Column, change: TableChange, parts: SqliteParts): string | undefined {
  const folded = change.folded.find((each) => each.column === column)
  if (folded) {
    const { source } = folded
    return parts.fold(expressionOf(source, change, parts) ?? parts.defaultOf(source) ?? "''")
  }
  const altered = change.altered.find(({ to }) => to.name === column.name)
  const isNew = change.added.includes(column) || altered?.keepsValues === false
  const instant = column.default?.kind === 'now' ? instants[column.type.kind] : undefined
  if (isNew) return instant
  const name = parts.quote(column.name)
  const value = altered && parts.convert(altered.from, altered.to, name)
  if (!altered?.fills) return value ?? name
  return `coalesce(${value ?? name}, ${instant ?? parts.defaultOf(column)})`
}
