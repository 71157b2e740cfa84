import type { FieldKind } from './field-kinds.ts'
import type { StoreKind } from './store-kinds.ts'

/**
 * The content of `strata.json`, normalized and validated. Every later stage reads only the model. It is
 * plain data, and equal inputs give equal models.
 */
export interface Model {
  /** The project's name, also the name of its folder and its title. */
  readonly name: string
  /** The npm package name of the emitted application (`--module`). */
  readonly module: string
  readonly database: StoreKind
  /** The library of the app's queries. Absent: Prisma, if the kind is relational. */
  readonly orm?: 'kysely'
  readonly auth: boolean
  /** True if the project's User was emitted before users had a role and tokens that end. */
  readonly formerUser?: true
  /** Features in the order of their addition. */
  readonly features: readonly Feature[]
  /** Renames in a store of documents, oldest first. Absent: none. The app applies them to the stored records. */
  readonly renames?: readonly StoreRename[]
}

/**
 * The previous and the new names of one rename: `posts` and `articles` for a collection, `posts.title` and
 * `articles.title` for a field or a list.
 */
export type StoreRename = Readonly<Record<string, string>>

export interface Feature {
  readonly entity: EntityNames
  /** Fields in the order of declaration, at least one. Includes foreign keys. */
  readonly fields: readonly Field[]
  /** Many-to-many relations: `tags:many(Tag)`. */
  readonly many: readonly ManyField[]
  /** Names of the text fields that `?search=` reads. If empty, the list has no search. */
  readonly search: readonly string[]
  /** The routes that require a credential. */
  readonly protect: Protection
  /** Name of the foreign key to a record's owner, the only user but admins who may change the record. */
  readonly owner?: string
  /** If true, only the owner and admins see a record. Needs an owner. */
  readonly private?: boolean
  /** Former paths of the collection, which the app still serves: `posts`. */
  readonly aliases?: readonly string[]
  /** Groups of fields whose values together are unique. A record with NULL in one of them collides with none. */
  readonly unique?: readonly FieldGroup[]
  /** Indexes of several fields, in the order of their fields. */
  readonly index?: readonly FieldGroup[]
}

/** Names of two or more fields of one feature. */
export type FieldGroup = readonly string[]

/** `write` protects every route but GET. `admin` does too, and writes need the role `admin`. */
export const protections = ['none', 'write', 'all', 'admin'] as const

export type Protection = (typeof protections)[number]

export interface ManyField {
  /** Name of the relation: `tags` */
  readonly name: string
  readonly camel: string
  /** The other entity, in PascalCase. */
  readonly target: string
}

/** An entity's name in every spelling of the emitted code, singular and plural. */
export interface EntityNames extends Spellings {
  /** The TypeScript and Prisma type: `pascal`, or `pascal` + `Record` if `pascal` is reserved. */
  readonly type: string
  readonly plural: Spellings
}

export interface Spellings {
  /** PascalCase: `BlogPost` */
  readonly pascal: string
  /** camelCase: `blogPost` */
  readonly camel: string
  /** kebab-case, for file names and URL segments: `blog-post` */
  readonly kebab: string
  /** snake_case, for wire keys, tables and columns: `blog_post` */
  readonly snake: string
  /** Lowercase words, for sentences: `blog post` */
  readonly words: string
}

export interface Field {
  /** Name in snake_case: on the wire, in the store and in `strata.json`. */
  readonly name: string
  /** Name in camelCase: in the emitted code. */
  readonly camel: string
  readonly type: FieldType
  readonly optional: boolean
  readonly unique: boolean
  readonly index: boolean
  readonly default?: DefaultValue
  /** Minimum value of a number, or minimum length of a string. If absent, the limit of the type applies. */
  readonly min?: number
  /** Maximum value of a number, or maximum length of a string. If absent, the limit of the type applies. */
  readonly max?: number
  /** Set for a foreign key: a uint whose name ends in `_id`. */
  readonly references?: Reference
}

export interface Reference {
  /** The referenced entity, in PascalCase. */
  readonly target: string
  /**
   * If true, deleting the referenced record deletes this record, and reading the referenced record includes this
   * record.
   */
  readonly cascade: boolean
}

export type FieldType =
  | { readonly kind: Exclude<FieldKind, 'decimal' | 'enum'> }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'enum'; readonly values: readonly string[] }

/**
 * Default value: a literal of the field's type (a decimal, date, datetime, uuid, email or enum as its wire string; json
 * as its compact JSON text), or `now` for a date or datetime.
 */
export type DefaultValue =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'now' }
