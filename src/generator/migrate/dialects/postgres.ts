import { defaultSql, quoted, sqlTimestamp } from '../default-sql.ts'
import { foldSql } from '../fold-sql.ts'
import {
  type Column,
  foreignKeyName,
  type Index,
  indexName,
  primaryKeyName,
  type Table,
} from '../tables.ts'
import type { Dialect, KeyStatements, Literals } from './dialect.ts'
import { type NativeNames, nativeType } from './native-type.ts'
import { alterTable } from './postgres-alter.ts'
import { rename } from './postgres-rename.ts'

const longestName = 63

// Sorts by code point. Another collation would sort lists otherwise than the other kinds of store.
const collation = 'COLLATE "C"'

const literals: Literals = {
  string: quoted,
  text: quoted,
  json: quoted,
  bool: String,
  date: (value) => quoted(`${sqlTimestamp(value)} +00:00`),
  datetime: (value) => quoted(`${sqlTimestamp(value)} +00:00`),
  codePoint: (value) => `chr(${value})`,
  today: 'CURRENT_TIMESTAMP',
  now: 'CURRENT_TIMESTAMP',
}

const nativeNames: NativeNames = {
  string: (length) => `VarChar(${length})`,
  text: 'Text',
  datetime: 'Timestamp(3)',
  uuid: () => 'Uuid',
}

const keys: KeyStatements = {
  blockChanges: false,
  add: (table, key) => {
    const [name, column] = [foreignKeyName(table, key, longestName), key.column.name]
    const action = key.cascade ? 'CASCADE' : 'RESTRICT'
    return `ALTER TABLE ${quote(table.name)} ADD CONSTRAINT ${quote(name)} FOREIGN KEY (${quote(column)}) REFERENCES ${quote(key.table)}("id") ON DELETE ${action} ON UPDATE CASCADE`
  },
  drop: (table, key) =>
    `ALTER TABLE ${quote(table.name)} DROP CONSTRAINT ${quote(foreignKeyName(table, key, longestName))}`,
}

export const postgres: Dialect = {
  kind: 'postgres',
  provider: 'postgresql',
  longestName,
  restrict: 'Restrict',
  limits: {
    decimal: { precision: 1000, scale: 1000, why: 'the limit of its columns' },
    refused: {},
  },
  native: (column) => nativeType(column, nativeNames),
  literals,
  sql: {
    type,
    createTable: (table) => {
      const key = quote(primaryKeyName(table, longestName))
      return [
        `CREATE TABLE ${quote(table.name)} (`,
        ...table.columns.map((column) => `    ${definition(column)},`),
        `\n    CONSTRAINT ${key} PRIMARY KEY (${table.isJoin ? '"A","B"' : '"id"'})\n)`,
      ].join('\n')
    },
    separateIndexes,
    createIndex,
    dropIndex: (table, index) => `DROP INDEX ${quote(indexName(table, index, longestName))}`,
    dropTable: (table) => [`DROP TABLE ${quote(table.name)}`],
    foreignKeys: keys,
    fold: (table, { column, source }) =>
      `UPDATE ${quote(table.name)} SET ${quote(column.name)} = ${foldSql(quote(source.name), literals)}`,
    alterTable: (change) => alterTable(change, { quote, type, definition, defaultOf }),
    lowerCase: (table, { name }) =>
      `UPDATE ${quote(table.name)} SET ${quote(name)} = lower(${quote(name)})`,
    dropsIndexesToAlter: false,
    trimsIndexes: false,
    rename: (renames) =>
      rename(renames, { longestName, keys, quote, createIndex, separateIndexes }),
  },
}

function createIndex(table: Table, index: Index): string {
  const columns = index.columns.map(({ name }) => quote(name)).join(', ')
  const name = quote(indexName(table, index, longestName))
  const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX'
  return `CREATE ${kind} ${name} ON ${quote(table.name)}(${columns})`
}

function separateIndexes({ isJoin, indexes }: Table): readonly Index[] {
  return isJoin ? indexes.filter(({ unique }) => !unique) : indexes
}

function type({ type, length }: Column): string {
  switch (type.kind) {
    case 'id':
      return 'SERIAL'
    case 'string':
    case 'email':
    case 'enum':
      return `VARCHAR(${length}) ${collation}`
    case 'text':
      return 'TEXT'
    case 'int':
    case 'uint':
      return 'INTEGER'
    case 'bool':
      return 'BOOLEAN'
    case 'float':
      return 'DOUBLE PRECISION'
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`
    case 'date':
      return 'DATE'
    case 'datetime':
      return 'TIMESTAMP(3)'
    case 'uuid':
      return 'UUID'
    case 'json':
      return 'JSONB'
  }
}

function definition(column: Column): string {
  const initial = defaultOf(column)
  return [
    quote(column.name),
    type(column),
    ...(column.nullable ? [] : ['NOT NULL']),
    ...(initial === undefined ? [] : [`DEFAULT ${initial}`]),
  ].join(' ')
}

function defaultOf(column: Column): string | undefined {
  return defaultSql(column, literals)
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
