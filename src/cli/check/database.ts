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
  // Use the project's driver: strata has no SQLite driver.
  const Database: new (file: string) => Connection = createRequire(join(root, 'package.json'))(
    'libsql',
  )
  const actual = new Database(path)
  const expected = new Database(':memory:')
  try {
    expected.exec(migrate(undefined, model)?.sql ?? '')
    const [present, required] = [describeTables(actual), describeTables(expected)]
    return outcomeOf([
      ...required
        .filter((line) => !present.includes(line))
        .map((line) => `the migrations do not create ${line}`),
      ...present
        .filter((line) => !required.includes(line))
        .map((line) => `the model has no ${line}`),
    ])
  } finally {
    actual.close()
    expected.close()
  }
}

/** Describes each column, foreign key and index in one line. */
function describeTables(database: Connection): readonly string[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== '_prisma_migrations')
  return tables.flatMap((table) => [
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
}

function describeColumn(table: string, { name, type, notnull, dflt_value, pk }: Row): string {
  const parts = [
    type,
    notnull ? 'NOT NULL' : '',
    dflt_value === null ? '' : `DEFAULT ${dflt_value}`,
  ]
  return `column ${table}.${name} ${[...parts, pk ? 'PRIMARY KEY' : ''].filter(Boolean).join(' ')}`
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
