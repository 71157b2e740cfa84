/**
 * The content of `strata.json`, normalized and validated. Every later stage reads only the model. It is
 * plain data, and equal inputs give equal models.
 */
export interface Model {
  /** The project's folder name and title. */
  readonly name: string
  /** The npm package name of the emitted application (`--module`). */
  readonly module: string
  readonly database: StoreKind
  readonly auth: boolean
  /** In the order of their addition. */
  readonly features: readonly Feature[]
}

/** The store kinds, in the order of messages. */
export const storeKinds = [
  'sqlite',
  'postgres',
  'postgres-json',
  'mysql',
  'sqlserver',
  'mongodb',
  'elasticsearch',
  'dynamodb',
] as const

export type StoreKind = (typeof storeKinds)[number]

export interface Feature {
  readonly entity: EntityNames
  /** At least one field, in the order of declaration. Includes foreign keys. */
  readonly fields: readonly Field[]
  /** Many-to-many relations: `tags:many(Tag)`. */
  readonly many: readonly ManyField[]
  /** Names of the text fields that `?search=` reads. If empty, the list has no search. */
  readonly search: readonly string[]
  /** The routes that need a credential. */
  readonly protect: Protection
  /** Name of the foreign key to a record's owner, the only user who may change the record. */
  readonly owner?: string
}

/** `write` protects every route but GET. */
export const protections = ['none', 'write', 'all'] as const

export type Protection = (typeof protections)[number]

export interface ManyField {
  /** `tags` */
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
  /** `BlogPost` */
  readonly pascal: string
  /** `blogPost` */
  readonly camel: string
  /** `blog-post`: file names and URL segments */
  readonly kebab: string
  /** `blog_post`: wire keys, tables and columns */
  readonly snake: string
  /** `blog post`: sentences */
  readonly words: string
}

export interface Field {
  /** snake_case: on the wire, in the store and in `strata.json`. */
  readonly name: string
  /** camelCase: in the emitted code. */
  readonly camel: string
  readonly type: FieldType
  readonly optional: boolean
  readonly unique: boolean
  readonly index: boolean
  readonly default?: DefaultValue
  /** Least value of a number, least length of a string. If absent, the limit of the type applies. */
  readonly min?: number
  /** Greatest value of a number, greatest length of a string. If absent, the limit of the type applies. */
  readonly max?: number
  /** Set for a foreign key: a uint whose name ends in `_id`. */
  readonly references?: Reference
}

export interface Reference {
  /** The referenced entity, in PascalCase. */
  readonly target: string
  /** Deleting the referenced record deletes this record; reading it includes this record as a part. */
  readonly cascade: boolean
}

export type FieldType =
  | { readonly kind: Exclude<FieldKind, 'decimal' | 'enum'> }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'enum'; readonly values: readonly string[] }

/** The scalar field types, in the order of messages. */
export const fieldKinds = [
  'string',
  'text',
  'int',
  'uint',
  'bool',
  'float',
  'decimal',
  'date',
  'datetime',
  'uuid',
  'json',
  'email',
  'enum',
] as const

export type FieldKind = (typeof fieldKinds)[number]

/**
 * A literal of the field's type (a decimal, date, datetime, uuid, email, enum as its wire string;
 * json as its compact JSON text), or `now` for a date or datetime.
 */
export type DefaultValue =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'now' }
