import { defaultSql, quoted, sqlTimestamp } from '../default-sql.ts'
import { foldSql } from '../fold-sql.ts'
import { type Column, foreignKeyName, type Index, indexName, type Table } from '../tables.ts'
import type { Dialect, KeyStatements, Literals } from './dialect.ts'
import { alterTable } from './mysql-alter.ts'
import { rename } from './mysql-rename.ts'
import { type NativeNames, nativeType } from './native-type.ts'

const longestName = 64
// A row has at most 65535 bytes, and a character of utf8mb4 up to 4.
const longestVarchar = 16_383
// Compares bytes, trailing spaces included. MySQL and MariaDB each read one of the two special comments.
const collation = '/*!80017 COLLATE utf8mb4_0900_bin */ /*M! COLLATE utf8mb4_nopad_bin */'

// A backslash starts an escape in a MySQL string.
const string = (value: string) => quoted(value.replaceAll('\\', '\\\\'))
// The default of a long column must be an expression, not a literal (MySQL 8.0.13).
const expression = (value: string) => `(${string(value)})`

const literals: Literals = {
  string,
  text: expression,
  json: expression,
  bool: String,
  date: (value) => quoted(value.toISOString().slice(0, 10)),
  datetime: (value) => quoted(sqlTimestamp(value)),
  codePoint: (value) =>
    `CHAR(0x${Buffer.from(String.fromCodePoint(value)).toString('hex')} USING utf8mb4)`,
  today: '(CURRENT_DATE)',
  now: 'CURRENT_TIMESTAMP(3)',
}

const nativeNames: NativeNames = {
  string: (length) => (isLong(length) ? 'MediumText' : `VarChar(${length})`),
  text: 'MediumText',
  datetime: 'DateTime(3)',
  uuid: (length) => `Char(${length})`,
}

const indexes = {
  create(table: Table, index: Index): string {
    const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX'
    const name = quote(indexName(table, index, longestName))
    return `CREATE ${kind} ${name} ON ${quote(table.name)}(${list(index.columns)})`
  },
  drop(table: Table, index: Index): string {
    return `DROP INDEX ${quote(indexName(table, index, longestName))} ON ${quote(table.name)}`
  },
}

const keys: KeyStatements = {
  blockChanges: true,
  add: (table, key) => {
    const [name, column] = [foreignKeyName(table, key, longestName), key.column.name]
    const action = key.cascade ? 'CASCADE' : 'RESTRICT'
    return `ALTER TABLE ${quote(table.name)} ADD CONSTRAINT ${quote(name)} FOREIGN KEY (${quote(column)}) REFERENCES ${quote(key.table)}(\`id\`) ON DELETE ${action} ON UPDATE CASCADE`
  },
  drop: (table, key) =>
    `ALTER TABLE ${quote(table.name)} DROP FOREIGN KEY ${quote(foreignKeyName(table, key, longestName))}`,
}

export const mysql: Dialect = {
  kind: 'mysql',
  provider: 'mysql',
  longestName,
  restrict: 'Restrict',
  limits: {
    decimal: { precision: 65, scale: 30, why: 'the limit of its columns' },
    refused: {},
  },
  native: (column) => nativeType(column, nativeNames),
  literals,
  sql: {
    type,
    createTable,
    // `createTable` creates all indexes.
    separateIndexes: () => [],
    createIndex: indexes.create,
    dropIndex: indexes.drop,
    dropTable: (table) => [`DROP TABLE ${quote(table.name)}`],
    foreignKeys: keys,
    fold: (table, { column, source }) =>
      `UPDATE ${quote(table.name)} SET ${quote(column.name)} = ${foldSql(quote(source.name), literals)}`,
    alterTable: (change) => alterTable(change, { quote, type, definition, defaultOf }),
    lowerCase: (table, { name }) =>
      `UPDATE ${quote(table.name)} SET ${quote(name)} = lower(${quote(name)})`,
    dropsIndexesToAlter: false,
    trimsIndexes: true,
    rename: (renames) => rename(renames, { longestName, keys, indexes, quote }),
  },
}

function type({ type, length }: Column): string {
  switch (type.kind) {
    case 'id':
    case 'int':
    case 'uint':
      return 'INTEGER'
    case 'string':
    case 'email':
    case 'enum':
      return isLong(length) ? 'MEDIUMTEXT' : `VARCHAR(${length})`
    case 'text':
      return 'MEDIUMTEXT'
    case 'bool':
      return 'BOOLEAN'
    case 'float':
      return 'DOUBLE'
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`
    case 'date':
      return 'DATE'
    case 'datetime':
      return 'DATETIME(3)'
    case 'uuid':
      return `CHAR(${length})`
    case 'json':
      return 'JSON'
  }
}

function isLong(length: number | undefined): boolean {
  return length !== undefined && length > longestVarchar
}

function createTable(table: Table): string {
  const indexes = table.indexes.map((index) => {
    const kind = index.unique ? 'UNIQUE INDEX' : 'INDEX'
    return `    ${kind} ${quote(indexName(table, index, longestName))}(${list(index.columns)})`
  })
  const columns = table.columns.map((column) => `    ${definition(column)}`)
  return [
    `CREATE TABLE ${quote(table.name)} (`,
    `${columns.join(',\n')},\n`,
    [...indexes, ...(table.isJoin ? [] : ['    PRIMARY KEY (`id`)'])].join(',\n'),
    `) DEFAULT CHARACTER SET utf8mb4 ${collation}`,
  ].join('\n')
}

function definition(column: Column): string {
  const initial = defaultOf(column)
  return [
    quote(column.name),
    type(column),
    column.nullable ? 'NULL' : 'NOT NULL',
    ...(column.type.kind === 'id' ? ['AUTO_INCREMENT'] : []),
    ...(initial === undefined ? [] : [`DEFAULT ${initial}`]),
  ].join(' ')
}

function defaultOf(column: Column): string | undefined {
  return defaultSql(column, literals)
}

function list(columns: readonly Column[]): string {
  return columns.map(({ name }) => quote(name)).join(', ')
}

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
