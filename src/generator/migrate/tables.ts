import { entitiesOf } from '../model/entities.ts'
import { fieldsOfGroup } from '../model/field-groups.ts'
import { filterFieldsOf } from '../model/list-fields.ts'
import type { DefaultValue, Feature, Field, FieldGroup, FieldType, Model } from '../model/model.ts'
import { joinTableName } from '../model/relation-names.ts'
import { forwardOf, type Many, manyOf, searchColumn } from '../model/relations.ts'

/** A table of a relational store, independent of the dialect: names and types, no SQL. */
export interface Table {
  /** Name of the table's Prisma model: `BlogPost` */
  readonly type: string
  /** Name of the table: `blog_posts` */
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  readonly foreignKeys: readonly ForeignKey[]
  /** Marks a table of many-to-many links with columns A and B, which has no Prisma model. */
  readonly isJoin: boolean
}

export interface ForeignKey {
  readonly column: Column
  /** The referenced table; the key refers to its id. */
  readonly table: string
  /** If true, deleting the referenced row deletes this row; otherwise the store refuses the deletion. */
  readonly cascade: boolean
}

export interface Column {
  /** Name of the column: `view_count` */
  readonly name: string
  /** Name of the Prisma field: `viewCount` */
  readonly camel: string
  readonly type: FieldType | { readonly kind: 'id' }
  /** Maximum length in characters, for text kinds with a limit. */
  readonly length?: number
  /** Maximum length in characters of a text whose column has no limit. */
  readonly longest?: number
  readonly nullable: boolean
  readonly default?: DefaultValue
  /** The name of the text column whose folded text this column stores for the search. */
  readonly foldOf?: string
}

export interface Index {
  readonly unique: boolean
  readonly columns: readonly [Column, ...Column[]]
}

/** Lists the tables of a model: one per entity in the order of addition, then the join tables. */
export function tablesOf(model: Model): readonly Table[] {
  return [...entitiesOf(model).map((feature) => tableOf(model, feature)), ...joinTables(model)]
}

/** Names an index: `users_email_key`, truncated to `longest` characters. */
export function indexName(table: Table, index: Index, longest: number): string {
  if (table.isJoin) {
    return constraintName([table.name], index.unique ? 'AB_unique' : 'B_index', longest)
  }
  const columns = index.columns.map((column) => column.name)
  return constraintName([table.name, ...columns], index.unique ? 'key' : 'idx', longest)
}

/** Names a primary key: `users_pkey`. */
export function primaryKeyName(table: Table, longest: number): string {
  return constraintName([table.name], table.isJoin ? 'AB_pkey' : 'pkey', longest)
}

/** Names a foreign key: `posts_author_id_fkey`. */
export function foreignKeyName(table: Table, { column }: ForeignKey, longest: number): string {
  if (table.isJoin) return constraintName([table.name], `${column.name}_fkey`, longest)
  return constraintName([table.name, column.name], 'fkey', longest)
}

/** Names a constraint by Prisma's rule. `longest` is the maximum length in characters, suffix included. */
export function constraintName(parts: readonly string[], suffix: string, longest: number): string {
  const ending = `_${suffix}`
  return parts.join('_').slice(0, longest - ending.length) + ending
}

// RFC 5321 allows 254 characters in an address. The limit of enum values is arbitrary.
const lengths = { string: 255, email: 254, enum: 64, uuid: 36 } as const

const now: DefaultValue = { kind: 'now' }

const id: Column = { name: 'id', camel: 'id', type: { kind: 'id' }, nullable: false }
const createdAt = timestamp('created_at', 'createdAt')
const updatedAt = timestamp('updated_at', 'updatedAt')

function isReference({ references }: Field): boolean {
  return references !== undefined
}

function timestamp(name: string, camel: string): Column {
  return { name, camel, type: { kind: 'datetime' }, nullable: false, default: now }
}

function tableOf(model: Model, feature: Feature): Table {
  const { entity, fields, search } = feature
  const declared = fields.map((field) => ({ field, column: columnOf(field) }))
  const filters = new Set(filterFieldsOf(feature))
  const unique = declared.filter(({ field }) => field.unique)
  const others = declared.filter(({ field }) => !field.unique)
  const indexed = others.filter(({ field }) => field.index && !filters.has(field))
  // SQLite prefers the index created last, so create reference indexes last: they are more selective than bool indexes.
  const filtered = others
    .filter(({ field }) => filters.has(field))
    .toSorted((a, b) => Number(isReference(a.field)) - Number(isReference(b.field)))
  const groupIndexes = (groups: readonly FieldGroup[] = [], isUnique: boolean) =>
    groups.flatMap((group): readonly Index[] => {
      const [first, ...rest] = fieldsOfGroup(feature, group).flatMap(
        (field) => declared.find((each) => each.field === field)?.column ?? [],
      )
      return first === undefined ? [] : [{ unique: isUnique, columns: [first, ...rest] }]
    })
  const folded = declared.filter(({ field }) => search.includes(field.name))
  return {
    type: entity.type,
    name: entity.plural.snake,
    columns: [
      id,
      ...declared.map(({ column }) => column),
      ...folded.map(({ column }) => foldedColumn(column)),
      createdAt,
      updatedAt,
    ],
    indexes: [
      ...unique.map(({ column }): Index => ({ unique: true, columns: [column] })),
      ...indexed.map(({ column }): Index => ({ unique: false, columns: [column] })),
      ...groupIndexes(feature.index, false),
      // Lists, filtered or not, sort by creation time, newest first, and then by id.
      ...filtered.map(({ column }): Index => ({ unique: false, columns: [column, createdAt, id] })),
      { unique: false, columns: [createdAt, id] },
      ...groupIndexes(feature.unique, true),
    ],
    foreignKeys: forwardOf(model, feature).flatMap(({ field, target, cascade }) =>
      declared
        .filter((each) => each.field === field)
        .map(({ column }) => ({ column, table: target.entity.plural.snake, cascade })),
    ),
    isJoin: false,
  }
}

const empty: DefaultValue = { kind: 'literal', value: '' }

function foldedColumn(column: Column): Column {
  const type = { kind: 'text' } as const
  return { ...searchColumn(column), type, nullable: false, default: empty, foldOf: column.name }
}

/** A many-to-many relation with the feature that declares it. */
interface Link {
  readonly holder: Feature
  readonly many: Many
}

// The order of Prisma's engine: by the entity at end A, its own relations before those of other entities.
function joinTables(model: Model): readonly Table[] {
  const entities = entitiesOf(model)
  const links = entities.flatMap((holder) =>
    manyOf(model, holder).map((many) => ({ holder, many })),
  )
  return entities.flatMap((entity) => {
    const atEndA = links.filter((link) => endsOf(link)[0] === entity)
    const isOwn = ({ holder }: Link) => holder === entity
    return [...atEndA.filter(isOwn), ...atEndA.filter((link) => !isOwn(link))].map(joinTable)
  })
}

/** Returns the entities at the ends A and B, sorted by the names of their Prisma models. */
function endsOf({ holder, many: { target } }: Link): readonly [Feature, Feature] {
  return holder.entity.type < target.entity.type ? [holder, target] : [target, holder]
}

function joinTable(link: Link): Table {
  const [a, b] = endsOf(link)
  const [toA, toB] = [end('A'), end('B')]
  return {
    type: '',
    name: joinTableName(link.holder, link.many),
    columns: [toA, toB],
    indexes: [
      { unique: true, columns: [toA, toB] },
      { unique: false, columns: [toB] },
    ],
    foreignKeys: [
      { column: toA, table: a.entity.plural.snake, cascade: true },
      { column: toB, table: b.entity.plural.snake, cascade: true },
    ],
    isJoin: true,
  }
}

function end(name: string): Column {
  return { name, camel: name, type: { kind: 'uint' }, nullable: false }
}

function columnOf(field: Field): Column {
  return {
    name: field.name,
    camel: field.camel,
    type: field.type,
    nullable: field.optional,
    ...lengthOf(field),
    ...(field.default && { default: field.default }),
  }
}

function lengthOf({ type, max }: Field): Pick<Column, 'length' | 'longest'> {
  switch (type.kind) {
    case 'text':
      return max === undefined ? {} : { longest: max }
    case 'string':
      return { length: max ?? lengths.string }
    case 'email':
    case 'enum':
    case 'uuid':
      return { length: lengths[type.kind] }
    default:
      return {}
  }
}
