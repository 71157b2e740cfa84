import type { DefaultValue, Feature, Field, FieldType, Model } from '../model/model.ts'

/** What a model is in a relational store, whichever one: names and types, no SQL yet. */
export interface Table {
  /** The Prisma model that maps to it: `BlogPost` */
  readonly type: string
  /** `blog_posts` */
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
}

export interface Column {
  /** `view_count` */
  readonly name: string
  /** The Prisma field: `viewCount` */
  readonly camel: string
  readonly type: FieldType | { readonly kind: 'id' }
  /** Greatest length in characters, for the kinds of text that have one. */
  readonly length?: number
  readonly nullable: boolean
  readonly default?: DefaultValue
}

export interface Index {
  readonly unique: boolean
  readonly columns: readonly [Column, ...Column[]]
}

/** The tables of a model, one a feature, in the order the features were added. */
export function tablesOf(model: Model): readonly Table[] {
  return model.features.map(tableOf)
}

/** A column's index in a table's name space: `users_email_key`, cut to what the store allows. */
export function indexName(table: Table, index: Index, longest: number): string {
  const columns = index.columns.map((column) => column.name)
  return constraintName([table.name, ...columns], index.unique ? 'key' : 'idx', longest)
}

/** Prisma's rule for the name of a constraint; `longest` counts characters, suffix included. */
export function constraintName(parts: readonly string[], suffix: string, longest: number): string {
  const ending = `_${suffix}`
  return parts.join('_').slice(0, longest - ending.length) + ending
}

// RFC 5321 allows an address 254 characters; the words of an enumeration are ours to limit.
const lengths = { string: 255, email: 254, enum: 64, uuid: 36 } as const

const now: DefaultValue = { kind: 'now' }

const id: Column = { name: 'id', camel: 'id', type: { kind: 'id' }, nullable: false }
const createdAt = timestamp('created_at', 'createdAt')
const updatedAt = timestamp('updated_at', 'updatedAt')

function timestamp(name: string, camel: string): Column {
  return { name, camel, type: { kind: 'datetime' }, nullable: false, default: now }
}

function tableOf({ entity, fields }: Feature): Table {
  const declared = fields.map((field) => ({ field, column: columnOf(field) }))
  const unique = declared.filter(({ field }) => field.unique)
  const indexed = declared.filter(({ field }) => field.index && !field.unique)
  return {
    type: entity.type,
    name: entity.plural.snake,
    columns: [id, ...declared.map(({ column }) => column), createdAt, updatedAt],
    indexes: [
      ...unique.map(({ column }): Index => ({ unique: true, columns: [column] })),
      ...indexed.map(({ column }): Index => ({ unique: false, columns: [column] })),
      // Lists are newest first, and the id settles a tie.
      { unique: false, columns: [createdAt, id] },
    ],
  }
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

function lengthOf({ type, max }: Field): { readonly length?: number } {
  switch (type.kind) {
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
