import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { migrate } from '../../generator/migrate/migrate.ts'
import type { Model } from '../../generator/model/model.ts'
import { type Outcome, outcomeOf } from './outcome.ts'

type Row = Readonly<Record<string, unknown>>

/** Compares the tables of an SQLite file, which the project's migrations created, with the tables of the model. */
export async function checkSqlite(model: Model, path: string): Promise<Outcome> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const actual = new DatabaseSync(path)
  const expected = new DatabaseSync(':memory:')
  try {
    expected.exec(migrate(undefined, model)?.sql ?? '')
    const [present, required] = [describeTables(actual), describeTables(expected)]
    return compare(present, required)
  } finally {
    actual.close()
    expected.close()
  }
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
function describeTables(database: DatabaseSyncInstance): readonly string[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    .all()
    .map(({ name }: Row) => String(name))
    .filter((name) => name !== '_prisma_migrations')
  const others = database
    .prepare("SELECT type, name, tbl_name FROM sqlite_schema WHERE type IN ('trigger', 'view')")
    .all()
    .map(
      ({ type, name, tbl_name }: Row) =>
        `${type} ${name}${type === 'view' ? '' : ` on ${tbl_name}`}`,
    )
  const described = tables.flatMap((table) => [
    `table ${table}`,
    ...database
      .prepare('SELECT * FROM pragma_table_info(?)')
      .all(table)
      .map((row: Row) => describeColumn(table, row)),
    ...database
      .prepare('SELECT * FROM pragma_foreign_key_list(?)')
      .all(table)
      .map((row: Row) => describeForeignKey(table, row)),
    ...database
      .prepare('SELECT * FROM pragma_index_list(?)')
      .all(table)
      .map((row: Row) => describeIndex(database, table, row)),
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

function describeIndex(
  database: DatabaseSyncInstance,
  table: string,
  { name, unique }: Row,
): string {
  const columns = database
    .prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno')
    .all(String(name))
  return `${unique ? 'unique ' : ''}index ${name} on ${table} (${columns.map((row: Row) => row.name).join(', ')})`
}
