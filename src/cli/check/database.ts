import { createRequire } from 'node:module'
import { join } from 'node:path'
import { migrate } from '../../generator/migrate/migrate.ts'
import type { Model } from '../../generator/model/model.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

interface Connection {
  exec: (sql: string) => void
  prepare: (sql: string) => { all: (...values: readonly unknown[]) => readonly Row[] }
  close: () => void
}

type Row = Readonly<Record<string, unknown>>

/** Compares the tables of an SQLite file, which the project's migrations created, with the tables of the model. */
export function checkSqlite(root: string, model: Model, path: string): Outcome {
  const Database = driverOf(root, model)
  const actual = new Database(path)
  const expected = new Database(':memory:')
  try {
    expected.exec(migrate(undefined, model)?.sql ?? '')
    const [present, required] = [describeTables(actual), describeTables(expected)]
    return compare(present, required)
  } finally {
    actual.close()
    expected.close()
  }
}

/** Loads the project's driver: strata has no SQLite driver. */
function driverOf(root: string, { orm }: Model): new (file: string) => Connection {
  const load = createRequire(join(root, 'package.json'))
  return orm === 'kysely' ? load('@photostructure/sqlite').DatabaseSync : load('libsql')
}

/**
 * Fails if an object of the model is missing or differs. Other objects are a person's own: they come from migrations
 * that strata did not write, and stay.
 */
function compare(present: readonly string[], required: readonly string[]): Outcome {
  const nameOf = (line: string) => line.split(' ', 2).join(' ')
  const names = new Set(required.map(nameOf))
  const missing = required.filter((line) => !present.includes(line))
  const other = present.filter((line) => !required.includes(line))
  const tables = other.filter((line) => line.startsWith('table ')).map((line) => line.slice(6))
  const isInOwnTable = (line: string) =>
    tables.some((table) => line.includes(` ${table}.`) || line.includes(` on ${table} `))
  const notes = other
    .filter((line) => !names.has(nameOf(line)) && !isInOwnTable(line))
    .map((line) => `yours: ${line}`)
  if (missing.length === 0) return { kind: 'passed', ...(notes.length > 0 && { notes }) }
  return outcomeOf([
    ...missing.map((line) => `the migrations do not create ${line}`),
    ...other
      .filter((line) => names.has(nameOf(line)))
      .map((line) => `the migrations create ${line} instead`),
  ])
}

/** Describes each table, column, foreign key, index, trigger and view in one line: its kind, its name, and details. */
function describeTables(database: Connection): readonly string[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== '_prisma_migrations')
  const others = database
    .prepare("SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    .all()
    .map(({ type, name, tbl_name }) => `${type} ${name}${type === 'view' ? '' : ` on ${tbl_name}`}`)
  const described = tables.flatMap((table) => [
    `table ${table}`,
    ...database
      .prepare('SELECT * FROM pragma_table_info(?)')
      .all(table)
      .map((row) => describeColumn(table, row)),
    ...database
      .prepare('SELECT * FROM pragma_foreign_key_list(?)')
      .all(table)
      .map((row) => describeForeignKey(table, row)),
    ...database
      .prepare('SELECT * FROM pragma_index_list(?)')
      .all(table)
      .map((row) => describeIndex(database, table, row)),
  ])
  return [...described, ...others]
}

function describeColumn(table: string, { name, type, notnull, dflt_value, pk }: Row): string {
  const parts = [
    type,
    notnull ? 'NOT NULL' : '',
    dflt_value === null ? '' : `DEFAULT ${printDefault(String(dflt_value))}`,
  ]
  return `column ${table}.${name} ${[...parts, pk ? 'PRIMARY KEY' : ''].filter(Boolean).join(' ')}`
}

/** Returns one text for both defaults of a time: older migrations use `CURRENT_TIMESTAMP`. */
function printDefault(sql: string): string {
  return sql.startsWith('(strftime(') ? 'CURRENT_TIMESTAMP' : sql
}

function describeForeignKey(table: string, { from, table: target, to, on_delete }: Row): string {
  return `foreign key ${table}.${from} to ${target}.${to}, ON DELETE ${on_delete}`
}

function describeIndex(database: Connection, table: string, { name, unique }: Row): string {
  const columns = database
    .prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
    .all(String(name))
  return `${unique ? 'unique ' : ''}index ${name} on ${table} (${columns.map((row) => row.name).join(', ')})`
}
