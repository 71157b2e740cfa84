import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { StrataError } from '../errors.ts'
import type { Model } from '../model/model.ts'
import type { OwnColumn, OwnInTable, OwnObjects } from './own-objects.ts'
import { definitionsOf, firstWord } from './sqlite-definitions.ts'
import { indexName, type Table, tablesOf } from './tables.ts'

/** A file of `prisma/migrations`. */
export interface MigrationFile {
  readonly path: string
  readonly sql: string
}

/** The project's migrations, applied to an empty SQLite database in memory. */
export interface Replay {
  readonly own: OwnObjects
  /** Applies the next migration too. Throws StrataError 'conflict' if it fails, for example on a person's own view. */
  apply(sql: string): void
  close(): void
}

/**
 * Applies the migrations in memory, and finds the objects that the model `before` does not explain. Throws
 * StrataError 'conflict' with the path of a migration that fails.
 */
export async function replaySqlite(
  migrations: readonly MigrationFile[],
  before: Model,
): Promise<Replay> {
  const { DatabaseSync } = await import('@photostructure/sqlite')
  const database = new DatabaseSync(':memory:')
  const run = (sql: string, advice: (reason: string) => string) => {
    try {
      database.exec(`PRAGMA foreign_keys = OFF;\n${sql}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new StrataError('conflict', advice(reason))
    }
  }
  try {
    for (const { path, sql } of migrations) {
      run(
        sql,
        (reason) =>
          `${path} fails on an empty database (${reason}), so strata can't tell which columns, indexes and triggers are yours: mend it first`,
      )
    }
  } catch (error) {
    database.close()
    throw error
  }
  return {
    own: ownObjects(database, tablesOf(before)),
    apply: (sql) =>
      run(
        sql,
        (reason) =>
          `the migration of this change would fail on an object of your own migrations (${reason}): drop or change that object in a migration first`,
      ),
    close: () => database.close(),
  }
}

function ownObjects(database: DatabaseSyncInstance, tables: readonly Table[]): OwnObjects {
  const all = rowsOf(database, 'SELECT type, name, tbl_name, sql FROM sqlite_schema')
  return {
    tables: new Map(tables.map((table) => [table.name, ownInTable(database, table, all)])),
    hasDependents: all.some(({ type }) => type === 'view' || type === 'trigger'),
  }
}

type Row = Readonly<Record<string, unknown>>

function ownInTable(database: DatabaseSyncInstance, table: Table, all: readonly Row[]): OwnInTable {
  const isTable = ({ type, name }: Row) => type === 'table' && name === table.name
  const definitions = definitionsOf(String(all.find(isTable)?.sql ?? ''))
  const indexes = table.indexes.map((index) => indexName(table, index, Number.POSITIVE_INFINITY))
  const isOwn = ({ type, name, tbl_name, sql }: Row) =>
    tbl_name === table.name &&
    sql !== null &&
    (type === 'trigger' || (type === 'index' && !indexes.includes(String(name))))
  return {
    columns: ownColumns(database, table, definitions),
    constraints: definitions.filter((definition) => isOwnConstraint(definition, table)),
    statements: all.filter(isOwn).map(({ sql }) => String(sql)),
  }
}

function ownColumns(
  database: DatabaseSyncInstance,
  table: Table,
  definitions: readonly string[],
): readonly OwnColumn[] {
  return rowsOf(database, 'SELECT name, hidden FROM pragma_table_xinfo(?)', table.name)
    .map(({ name, hidden }) => ({ name: String(name), isGenerated: hidden === 2 || hidden === 3 }))
    .filter(({ name }) => !hasColumn(table, name))
    .flatMap((column) => {
      const definition = definitions.find((each) => isSameName(firstWord(each).word, column.name))
      return definition === undefined ? [] : [{ ...column, definition }]
    })
}

function isOwnConstraint(definition: string, table: Table): boolean {
  const { word, isQuoted } = firstWord(definition)
  if (isQuoted || !/^(constraint|primary|unique|check|foreign)$/i.test(word)) return false
  const [, column] = /\bforeign\s+key\s*\(\s*["`[]?([^"`\]),]+)/i.exec(definition) ?? []
  const isModelled = table.foreignKeys.some((key) => isSameName(key.column.name, column ?? ''))
  // The key of a join table is part of its emitted statement.
  return !isModelled && !/\bprimary\s+key\b/i.test(definition)
}

function hasColumn({ columns }: Table, name: string): boolean {
  return columns.some((column) => isSameName(column.name, name))
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function rowsOf(database: DatabaseSyncInstance, sql: string, ...values: string[]): readonly Row[] {
  return database.prepare(sql).all(...values) as Row[]
}
