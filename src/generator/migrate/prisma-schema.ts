import { StrataError } from '../errors.ts'
import { entitiesOf } from '../model/entities.ts'
import type { Model } from '../model/model.ts'
import { type RelationMember, relationMembers } from '../model/relation-names.ts'
import type { Dialect } from './dialects/dialect.ts'
import { dialectOf } from './dialects/registry.ts'
import { plainNumber } from './plain-number.ts'
import { type Column, type Index, type Table, tablesOf } from './tables.ts'
import { assertTypeLimits } from './type-limits.ts'

/**
 * Returns `prisma/schema.prisma` for a model of a relational kind, formatted like `prisma format`. Throws
 * StrataError `usage` for a field that the store can't hold, and for a field whose name Prisma needs for
 * a relation.
 */
export function prismaSchema(model: Model, dialect: Dialect = dialectOf(model.database)): string {
  const tables = tablesOf(model)
  assertTypeLimits(tables, dialect)
  const datasource = `datasource db {\n  provider = "${dialect.provider}"\n}\n`
  const blocks = entitiesOf(model).flatMap((feature) =>
    tables
      .filter(({ type }) => type === feature.entity.type)
      .map((table) => {
        const members = relationMembers(model, feature)
        refuseSharedName(table, members)
        return block(table, members, dialect)
      }),
  )
  return [...(model.orm ? [] : [generator]), datasource, ...blocks].join('\n')
}

function refuseSharedName({ type, columns }: Table, members: readonly RelationMember[]): void {
  const column = columns.find(({ camel }) => members.some(({ name }) => name === camel))
  if (column === undefined) return
  throw new StrataError(
    'usage',
    `${type} would have two members named ${column.camel} in schema.prisma: rename ${column.name}`,
  )
}

const generator = `generator client {
  provider            = "prisma-client"
  output              = "../src/generated/prisma"
  importFileExtension = "js"
  moduleFormat        = "esm"
  runtime             = "nodejs"
}
`

function block(table: Table, members: readonly RelationMember[], dialect: Dialect): string {
  const columns = table.columns.map((column) => [
    column.camel,
    `${scalars[column.type.kind]}${column.nullable ? '?' : ''}`,
    attributes(column, table, dialect).join(' '),
  ])
  const relations = members.map(({ name, type, relation, key }) => {
    const action = key?.cascade ? 'Cascade' : dialect.restrict
    const keyAttributes = key
      ? `, fields: [${key.field.camel}], references: [id], onDelete: ${action}${onUpdate(key.cascade, dialect)}`
      : ''
    return [name, type, `@relation("${relation}"${keyAttributes})`]
  })
  const rows = [...columns, ...relations]
  const comments = table.columns.map(comment)
  const lines = aligned(rows).map((line, i) => `${comments[i] ?? ''}  ${line}\n`)
  const indexes = table.indexes
    .filter((index) => !isAttribute(index))
    .map(
      (index) =>
        `  @@${index.unique ? 'unique' : 'index'}([${index.columns.map(({ camel }) => camel).join(', ')}])\n`,
    )
  return `model ${table.type} {\n${lines.join('')}\n${indexes.join('')}  @@map("${table.name}")\n}\n`
}

/** Returns true for the index of one unique column, which is an attribute of the column. */
function isAttribute({ unique, columns }: Index): boolean {
  return unique && columns.length === 1
}

/** Replaces Prisma's default `Cascade`, because SQL Server refuses several cascade paths to one table. */
function onUpdate(cascade: boolean, { restrict }: Dialect): string {
  return restrict === 'NoAction' && !cascade ? ', onUpdate: NoAction' : ''
}

const scalars: Readonly<Record<Column['type']['kind'], string>> = {
  id: 'Int',
  string: 'String',
  text: 'String',
  int: 'Int',
  uint: 'Int',
  bool: 'Boolean',
  float: 'Float',
  decimal: 'Decimal',
  date: 'DateTime',
  datetime: 'DateTime',
  uuid: 'String',
  json: 'Json',
  email: 'String',
  enum: 'String',
}

function attributes(column: Column, table: Table, dialect: Dialect): readonly string[] {
  const isUnique = table.indexes.some((index) => isAttribute(index) && index.columns[0] === column)
  const initial = column.type.kind === 'id' ? 'autoincrement()' : defaultOf(column, dialect)
  const native = dialect.native(column)
  return [
    ...(column.type.kind === 'id' ? ['@id'] : []),
    ...(isUnique ? ['@unique'] : []),
    ...(initial === undefined ? [] : [`@default(${initial})`]),
    ...(column.name === column.camel ? [] : [`@map("${column.name}")`]),
    ...(native === undefined ? [] : [`@db.${native}`]),
  ]
}

function defaultOf({ type, default: initial }: Column, dialect: Dialect): string | undefined {
  if (initial === undefined) return undefined
  if (initial.kind === 'now')
    return dialect.nowInSchema?.(type.kind === 'date' ? 'date' : 'datetime') ?? 'now()'
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'float':
    case 'decimal':
      return plainNumber(String(initial.value))
    case 'bool':
      return String(initial.value)
    case 'date':
    case 'datetime':
      return JSON.stringify(new Date(String(initial.value)).toISOString())
    default:
      return JSON.stringify(String(initial.value))
  }
}

function comment({ type, foldOf }: Column): string {
  if (foldOf !== undefined)
    return `  /// Folded text of ${foldOf} for the search, made by foldText.\n`
  if (type.kind !== 'enum') return ''
  return `  /// One of ${type.values.join(', ')}: the application checks it, not the database.\n`
}

/** Pads cells to the width of their column and trims the end of each line. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (i: number) => Math.max(...rows.map((row) => row[i]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widthOf(i)))
      .join(' ')
      .trimEnd(),
  )
}
