import { createRequire } from 'node:module'
import { join } from 'node:path'
import { migrate } from '../../generator/migrate/diff.ts'
import type { Model } from '../../generator/model/model.ts'
import { failedBy, type Outcome } from './outcome.ts'

interface Connection {
  exec: (sql: string) => void
  prepare: (sql: string) => { all: (...values: readonly unknown[]) => readonly Row[] }
  close: () => void
}

type Row = Readonly<Record<string, unknown>>

/** Whether the tables that the project's migrations made, in an SQLite file, are those that the model asks for. */
export function checkSqlite(root: string, model: Model, path: string): Outcome {
  // The project's own driver: strata brings none.
  const Database: new (file: string) => Connection = createRequire(join(root, 'package.json'))(
    'libsql',
  )
  const made = new Database(path)
  const wanted = new Database(':memory:')
  try {
    wanted.exec(migrate(undefined, model)?.sql ?? '')
    const [have, want] = [structure(made), structure(wanted)]
    return failedBy([
      ...want
        .filter((line) => !have.includes(line))
        .map((line) => `the migrations do not make ${line}`),
      ...have.filter((line) => !want.includes(line)).map((line) => `the model has no ${line}`),
    ])
  } finally {
    made.close()
    wanted.close()
  }
}

/** A line for each column, key and index, in no order of their making. */
function structure(database: Connection): readonly string[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== '_prisma_migrations')
  return tables.flatMap((table) => [
    ...database
      .prepare('SELECT * FROM pragma_table_info(?)')
      .all(table)
      .map((row) => column(table, row)),
    ...database
      .prepare('SELECT * FROM pragma_foreign_key_list(?)')
      .all(table)
      .map((row) => key(table, row)),
    ...database
      .prepare('SELECT * FROM pragma_index_list(?)')
      .all(table)
      .map((row) => index(database, table, row)),
  ])
}

function column(table: string, { name, type, notnull, dflt_value, pk }: Row): string {
  const parts = [
    type,
    notnull ? 'NOT NULL' : '',
    dflt_value === null ? '' : `DEFAULT ${dflt_value}`,
  ]
  return `column ${table}.${name} ${[...parts, pk ? 'PRIMARY KEY' : ''].filter(Boolean).join(' ')}`
}

function key(table: string, { from, table: target, to, on_delete }: Row): string {
  return `foreign key ${table}.${from} to ${target}.${to}, ON DELETE ${on_delete}`
}

function index(database: Connection, table: string, { name, unique }: Row): string {
  const columns = database
    .prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
    .all(String(name))
  return `${unique ? 'unique ' : ''}index ${name} on ${table} (${columns.map((row) => row.name).join(', ')})`
}
