import { quoted } from '../default-sql.ts'
import type { OwnInTable, OwnObjects } from '../own-objects.ts'
import type { TableChange } from '../table-change.ts'
import type { Column, Index, Table } from '../tables.ts'
import type { BranchTable, Rebuild } from './dialect.ts'
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
    statements: (changes, taken, own) =>
      withoutChecks(
        changes.flatMap((change) => rebuild(change, taken, own, parts)),
        own,
      ),
    keep: (table) => keepColumns(table, parts.quote),
    merge: (tables, taken, own) =>
      withoutChecks(
        tables.flatMap((each) => mergeTable(each, taken, own, parts)),
        own,
      ),
  }
}

function withoutChecks(statements: readonly string[], own: OwnObjects): readonly string[] {
  return [
    'PRAGMA defer_foreign_keys=ON',
    'PRAGMA foreign_keys=OFF',
    // A rename would otherwise fail on a view of the table, which does not exist at that moment.
    ...(own.hasDependents ? ['PRAGMA legacy_alter_table=ON'] : []),
    ...statements,
    ...(own.hasDependents ? ['PRAGMA legacy_alter_table=OFF'] : []),
    'PRAGMA foreign_keys=ON',
    'PRAGMA defer_foreign_keys=OFF',
  ]
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
  const rows = parts.quote(from.name)
  const known = [...from.columns, ...ownHere.columns].map(({ name }) => name)
  return [
    refuseOthers(from.name, known),
    ...replaceTable({ from: from.name, to, temporary, copied, rows, ownHere }, parts),
  ]
}

/**
 * Returns the statement that fails on columns that the rebuild would drop without knowing them: those of another branch, unless
 * they were kept before. An invalid path of JSON is SQLite's only error with a text outside a trigger.
 */
function refuseOthers(table: string, known: readonly string[]): string {
  const names = known.map(quoted).join(', ')
  const reason = `${quoted(`${table}.`)} || "name" || ' would be lost: run strata sync after a merge of branches'`
  return `SELECT json_extract('{}', ${reason}) FROM pragma_table_info(${quoted(table)}) WHERE "name" NOT IN (${names}) AND NOT EXISTS (SELECT 1 FROM "sqlite_schema" WHERE "name" = ${quoted(keptName(table))})`
}

interface Replacement {
  readonly from: string
  readonly to: Table
  readonly temporary: string
  /** The quoted name and the SQL expression of each column. */
  readonly copied: readonly { readonly name: string; readonly source: string }[]
  /** The `FROM` clause of the rows. */
  readonly rows: string
  readonly ownHere: OwnInTable
}

function replaceTable(
  { from, to, temporary, copied, rows, ownHere }: Replacement,
  parts: SqliteParts,
): readonly string[] {
  const names = copied.map(({ name }) => name).join(', ')
  const sources = copied.map(({ source }) => source).join(', ')
  const newTable = parts.quote(temporary)
  return [
    parts.createTable(to, temporary, ownHere),
    `INSERT INTO ${newTable} (${names}) SELECT ${sources} FROM ${rows}`,
    ...(to.isJoin ? [] : keepIds(from, temporary)),
    `DROP TABLE ${parts.quote(from)}`,
    `ALTER TABLE ${newTable} RENAME TO ${parts.quote(to.name)}`,
    ...to.indexes.map((index) => parts.createIndex(to, index)),
    ...ownHere.statements,
  ]
}

/** Takes an uncertain column from the kept values, or else from the table if it has the column. */
function mergeTable(
  { table, uncertain, kept }: BranchTable,
  taken: ReadonlySet<string>,
  own: OwnObjects,
  parts: SqliteParts,
): readonly string[] {
  const { quote } = parts
  const ownHere = own.tables.get(table.name) ?? nothing
  const copied = table.columns.map((column) => {
    const name = quote(column.name)
    if (!uncertain.includes(column)) return { name, source: `"row".${name}` }
    const now = optionalColumn(table.name, column.name, quote)
    const value = `CASE WHEN "kept".${quote(`has ${column.name}`)} THEN "kept".${quote(`value of ${column.name}`)} ELSE ${now} END`
    const initial =
      column.default?.kind === 'now' ? instants[column.type.kind] : parts.defaultOf(column)
    const isFilled = !column.nullable && initial !== undefined
    return { name, source: isFilled ? `coalesce(${value}, ${initial})` : value }
  })
  const ownColumns = ownHere.columns
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ name }) => ({ name: quote(name), source: `"row".${quote(name)}` }))
  return [
    ...replaceTable(
      {
        from: table.name,
        to: table,
        temporary: freeName(`new_${table.name}`, taken),
        copied: [...copied, ...ownColumns],
        rows: `${absentColumns(uncertain, quote)} CROSS JOIN ${quote(table.name)} AS "row" LEFT JOIN ${quote(kept)} AS "kept" ON "kept"."id" = "row"."id"`,
        ownHere,
      },
      parts,
    ),
    `DROP TABLE ${quote(kept)}`,
  ]
}

/** Returns the statement that keeps the values of columns that the table may have. */
function keepColumns(
  { table, uncertain, kept }: BranchTable,
  quote: (name: string) => string,
): string {
  const columns = uncertain.flatMap(({ name }) => [
    `${optionalColumn(table.name, name, quote)} AS ${quote(`value of ${name}`)}`,
    `EXISTS (SELECT 1 FROM pragma_table_info(${quoted(table.name)}) WHERE "name" = ${quoted(name)}) AS ${quote(`has ${name}`)}`,
  ])
  return `CREATE TABLE ${quote(kept)} AS SELECT ${['"row"."id" AS "id"', ...columns].join(', ')} FROM ${absentColumns(uncertain, quote)} CROSS JOIN ${quote(table.name)} AS "row"`
}

/**
 * Returns the value of a column that the table may lack. SQLite then finds the name in the outer query, where
 * `absentColumns` has NULL.
 */
function optionalColumn(table: string, column: string, quote: (name: string) => string): string {
  return `(SELECT ${quote(column)} FROM ${quote(table)} AS "now" WHERE "now"."id" = "row"."id")`
}

function absentColumns(columns: readonly Column[], quote: (name: string) => string): string {
  const nulls = columns.map(({ name }) => `NULL AS ${quote(name)}`)
  return `(SELECT ${['1 AS "one row"', ...nulls].join(', ')}) AS "absent"`
}

/** Names the table with the values of a table's uncertain columns. */
export function keptName(table: string): string {
  return `_kept_${table}`
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
