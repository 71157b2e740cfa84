import { defaultSql, quoted, sqlTimestamp } from '../default-sql.ts'
import { foldSql } from '../fold-sql.ts'
import {
  type Column,
  constraintName,
  foreignKeyName,
  type Index,
  indexName,
  primaryKeyName,
  type Table,
} from '../tables.ts'
import type { Dialect, KeyStatements, Literals } from './dialect.ts'
import { type NativeNames, nativeType } from './native-type.ts'
import { alterTable } from './sqlserver-alter.ts'
import { rename } from './sqlserver-rename.ts'

const longestName = 128
const longestNvarchar = 4000
// Compares code units. The default collation ignores case and, in some databases, accents.
const collation = 'COLLATE Latin1_General_100_BIN2'

// Without the N, a character outside the database's code page becomes a question mark.
const string = (value: string) => (isAscii(value) ? quoted(value) : `N${quoted(value)}`)

const literals: Literals = {
  string,
  text: string,
  json: string,
  bool: (value) => (value ? '1' : '0'),
  date: (value) => quoted(value.toISOString().slice(0, 10)),
  datetime: (value) => quoted(`${sqlTimestamp(value)} +00:00`),
  codePoint: (value) => `NCHAR(${value})`,
  today: 'CURRENT_TIMESTAMP',
  now: 'CURRENT_TIMESTAMP',
}

const transaction = {
  begin: 'BEGIN TRY\n\nBEGIN TRAN;\n',
  commit: `COMMIT TRAN;

END TRY
BEGIN CATCH

IF @@TRANCOUNT > 0
BEGIN
    ROLLBACK TRAN;
END;
THROW

END CATCH
`,
}

const nativeNames: NativeNames = {
  string: (length) => (isLong(length) ? 'NVarChar(Max)' : `NVarChar(${length})`),
  text: 'NVarChar(Max)',
  uuid: (length) => `Char(${length})`,
  json: 'NVarChar(Max)',
}

const keys: KeyStatements = {
  blockChanges: false,
  add: (table, key) => {
    const [name, column] = [foreignKeyName(table, key, longestName), key.column.name]
    const action = key.cascade ? 'CASCADE' : 'NO ACTION'
    return `ALTER TABLE ${tableName(table)} ADD CONSTRAINT ${quote(name)} FOREIGN KEY (${quote(column)}) REFERENCES [dbo].${quote(key.table)}([id]) ON DELETE ${action} ON UPDATE ${action}`
  },
  drop: (table, key) =>
    `ALTER TABLE ${tableName(table)} DROP CONSTRAINT ${quote(foreignKeyName(table, key, longestName))}`,
}

export const sqlserver: Dialect = {
  kind: 'sqlserver',
  provider: 'sqlserver',
  longestName,
  restrict: 'NoAction',
  limits: {
    decimal: { precision: 38, scale: 38, why: 'the limit of its columns' },
    refused: { json: 'Prisma does not support json on it; use text, or another store kind' },
  },
  native: (column) => nativeType(column, nativeNames),
  literals,
  sql: {
    type,
    createTable,
    separateIndexes: (table) => table.indexes.filter((index) => !isConstraint(index)),
    createIndex,
    dropIndex,
    dropTable: (table) => [`DROP TABLE ${tableName(table)}`],
    foreignKeys: keys,
    // Use dynamic SQL: SQL Server compiles the batch before the column exists.
    fold: (table, { column, source }) => {
      const folded = foldSql(quote(source.name), literals)
      return `EXEC(${quoted(`UPDATE ${tableName(table)} SET ${quote(column.name)} = ${folded}`)})`
    },
    alterTable: (change) =>
      alterTable(change, { tableName, quote, type, definition, defaultOf, defaultName }),
    lowerCase: (table, { name }) =>
      `UPDATE ${tableName(table)} SET ${quote(name)} = lower(${quote(name)})`,
    dropsIndexesToAlter: true,
    trimsIndexes: false,
    rename: (renames) =>
      rename(renames, { longestName, keys, isConstraint, createIndex, dropIndex, defaultName }),
    transaction,
  },
}

function type({ type, length }: Column): string {
  switch (type.kind) {
    case 'id':
    case 'int':
    case 'uint':
      return 'INT'
    case 'string':
    case 'email':
    case 'enum':
      return `NVARCHAR(${isLong(length) ? 'max' : length}) ${collation}`
    case 'text':
    case 'json':
      return `NVARCHAR(max) ${collation}`
    case 'bool':
      return 'BIT'
    case 'float':
      return 'FLOAT(53)'
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`
    case 'date':
      return 'DATE'
    case 'datetime':
      return 'DATETIME2'
    case 'uuid':
      return `CHAR(${length})`
  }
}

function isLong(length: number | undefined): boolean {
  return length !== undefined && length > longestNvarchar
}

function createIndex(table: Table, index: Index): string {
  const name = quote(indexName(table, index, longestName))
  const [place, columns] = [tableName(table), list(index, ', ')]
  if (isConstraint(index)) {
    return `ALTER TABLE ${place} ADD CONSTRAINT ${name} UNIQUE NONCLUSTERED (${columns})`
  }
  if (!index.unique) return `CREATE NONCLUSTERED INDEX ${name} ON ${place}(${columns})`
  const where = index.columns
    .filter(({ nullable }) => nullable)
    .map(({ name }) => `${quote(name)} IS NOT NULL`)
    .join(' AND ')
  return `CREATE UNIQUE NONCLUSTERED INDEX ${name} ON ${place}(${columns}) WHERE ${where}`
}

function dropIndex(table: Table, index: Index): string {
  const name = quote(indexName(table, index, longestName))
  return isConstraint(index)
    ? `ALTER TABLE ${tableName(table)} DROP CONSTRAINT ${name}`
    : `DROP INDEX ${name} ON ${tableName(table)}`
}

function createTable(table: Table): string {
  const key = quote(primaryKeyName(table, longestName))
  const lines = [
    ...table.columns.map((column) => definition(column, table)),
    ...(table.isJoin ? [] : [`CONSTRAINT ${key} PRIMARY KEY CLUSTERED ([id])`]),
    ...table.indexes.filter(isConstraint).map((index) => {
      const name = quote(indexName(table, index, longestName))
      return `CONSTRAINT ${name} UNIQUE NONCLUSTERED (${list(index, ',')})`
    }),
  ]
  return `CREATE TABLE ${tableName(table)} (\n${lines.map((line) => `    ${line}`).join(',\n')}\n)`
}

function definition(column: Column, table: Table): string {
  const initial = defaultOf(column)
  return [
    quote(column.name),
    type(column),
    ...(column.nullable ? [] : ['NOT NULL']),
    ...(column.type.kind === 'id' ? ['IDENTITY(1,1)'] : []),
    ...(initial === undefined
      ? []
      : [`CONSTRAINT ${quote(defaultName(column, table))} DEFAULT ${initial}`]),
  ].join(' ')
}

// A UNIQUE constraint allows one NULL. Other stores allow any number, so a nullable column gets an index.
function isConstraint(index: Index): boolean {
  return index.unique && index.columns.every((column) => !column.nullable)
}

function defaultOf(column: Column): string | undefined {
  return defaultSql(column, literals)
}

function defaultName(column: Column, table: Table): string {
  return constraintName([table.name, column.name], 'df', longestName)
}

function list(index: Index, between: string): string {
  return index.columns.map(({ name }) => quote(name)).join(between)
}

function tableName(table: Table): string {
  return `[dbo].${quote(table.name)}`
}

function quote(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`
}

function isAscii(text: string): boolean {
  return [...text].every((letter) => letter < '\u0080')
}
