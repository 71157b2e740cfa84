import { defaultSql, quoted } from '../default-sql.ts'
import { foldSql } from '../fold-sql.ts'
import type { OwnInTable } from '../own-objects.ts'
import { type Column, foreignKeyName, indexName, type Table } from '../tables.ts'
import type { Dialect, Literals, Statements } from './dialect.ts'
import { alterTable } from './sqlite-alter.ts'
import { convert } from './sqlite-convert.ts'
import { currentTime } from './sqlite-current-time.ts'
import { rebuildOf } from './sqlite-rebuild.ts'
import { rename } from './sqlite-rename.ts'

const longestName = Number.POSITIVE_INFINITY

// The driver adapter writes and reads `2026-11-20T21:32:00.000+00:00`. Prisma's engine prints another
// format, which the client can't read and which sorts differently.
const timestamp = (value: Date) => quoted(value.toISOString().replace('Z', '+00:00'))

const literals: Literals = {
  string: quoted,
  text: quoted,
  // Prisma's engine omits the quotes, and SQLite refuses that statement.
  json: quoted,
  bool: String,
  date: timestamp,
  datetime: timestamp,
  codePoint: (value) => `char(${value})`,
  // Prisma's engine reads a default without its outer parentheses, and writes the schema's text as it is.
  today: `((${currentTime.date}))`,
  now: `((${currentTime.datetime}))`,
}

const createIndex: Statements['createIndex'] = (table, index) => {
  const columns = index.columns.map(({ name }) => quote(name)).join(', ')
  const name = quote(indexName(table, index, longestName))
  return `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${quote(table.name)}(${columns})`
}

const dropIndex: Statements['dropIndex'] = (table, index) =>
  `DROP INDEX ${quote(indexName(table, index, longestName))}`

export const sqlite: Dialect = {
  kind: 'sqlite',
  provider: 'sqlite',
  longestName,
  restrict: 'Restrict',
  limits: {
    decimal: { precision: 15, scale: 15, why: 'because it stores a decimal as an 8-byte float' },
    refused: {},
  },
  native: () => undefined,
  literals,
  nowInSchema: (kind) => `dbgenerated(${JSON.stringify(`(${currentTime[kind]})`)})`,
  sql: {
    type,
    createTable: (table) => createTable(table, table.name),
    separateIndexes: (table) => table.indexes,
    createIndex,
    dropIndex,
    dropTable: ({ name }) => [
      'PRAGMA foreign_keys=off',
      `DROP TABLE ${quote(name)}`,
      'PRAGMA foreign_keys=on',
    ],
    alterTable: (change) => alterTable(change, { quote, definition }),
    fold: (table, { column, source }) =>
      `UPDATE ${quote(table.name)} SET ${quote(column.name)} = ${fold(quote(source.name))}`,
    lowerCase: (table, { name }) =>
      `UPDATE ${quote(table.name)} SET ${quote(name)} = lower(${quote(name)})`,
    dropsIndexesToAlter: false,
    trimsIndexes: false,
    rebuild: rebuildOf({ quote, createTable, createIndex, defaultOf, convert, fold }),
    convert,
    rename: (renames) => rename(renames, { quote, createIndex, dropIndex }),
  },
}

function type({ type }: Column): string {
  switch (type.kind) {
    case 'id':
    case 'int':
    case 'uint':
      return 'INTEGER'
    case 'string':
    case 'text':
    case 'email':
    case 'enum':
    case 'uuid':
      return 'TEXT'
    case 'bool':
      return 'BOOLEAN'
    case 'float':
      return 'REAL'
    case 'decimal':
      return 'DECIMAL'
    case 'date':
    case 'datetime':
      return 'DATETIME'
    case 'json':
      return 'JSONB'
  }
}

function createTable(table: Table, name: string, own?: OwnInTable): string {
  const keys = table.foreignKeys.map((key) => {
    const [constraint, column] = [foreignKeyName(table, key, longestName), key.column.name]
    const action = key.cascade ? 'CASCADE' : 'RESTRICT'
    return `CONSTRAINT ${quote(constraint)} FOREIGN KEY (${quote(column)}) REFERENCES ${quote(key.table)} ("id") ON DELETE ${action} ON UPDATE CASCADE`
  })
  const columns = [
    ...table.columns.map(definition),
    ...(own?.columns ?? []).map((each) => each.definition),
  ]
  const lines = [...columns, ...keys, ...(own?.constraints ?? [])].map((line) => `    ${line}`)
  return `CREATE TABLE ${quote(name)} (\n${lines.join(',\n')}\n)`
}

function definition(column: Column): string {
  const initial = defaultOf(column)
  return [
    quote(column.name),
    type(column),
    ...(column.nullable ? [] : ['NOT NULL']),
    ...(column.type.kind === 'id' ? ['PRIMARY KEY AUTOINCREMENT'] : []),
    ...(initial === undefined ? [] : [`DEFAULT ${initial}`]),
  ].join(' ')
}

function defaultOf(column: Column): string | undefined {
  return defaultSql(column, literals)
}

function fold(text: string): string {
  return foldSql(text, literals)
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
