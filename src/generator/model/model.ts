/**
 * The model: what `strata.json` says, normalized and validated. Everything after the spec stage
 * reads this and nothing else; it is plain data and equal inputs give equal models.
 */
export interface Model {
  /** The project's folder name and title. */
  readonly name: string
  /** The npm package name of the emitted application (`--module`). */
  readonly module: string
  readonly database: StoreKind
  readonly auth: boolean
  /** In the order they were added. */
  readonly features: readonly Feature[]
}

/** The eight kinds of store, in the order messages list them. */
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
  /** What its record holds, foreign keys among it, in the order of declaration; at least one. */
  readonly fields: readonly Field[]
  /** Many-to-many relations: `tags:many(Tag)`. */
  readonly many: readonly ManyField[]
  /** Names of the text fields that `?search=` looks in; none: the list has no search. */
  readonly search: readonly string[]
  /** Which of its routes need a credential. */
  readonly protect: Protection
  /** Name of the foreign key that says whose a record is: only that user may change it. */
  readonly owner?: string
}

/** `write`: all but GET. */
export const protections = ['none', 'write', 'all'] as const

export type Protection = (typeof protections)[number]

export interface ManyField {
  /** `tags` */
  readonly name: string
  readonly camel: string
  /** The other entity, in PascalCase. */
  readonly target: string
}

/** One entity's name in every spelling the emitted code needs, singular and plural. */
export interface EntityNames extends Spellings {
  /** The TypeScript and Prisma type: `pascal`, or `pascal` + `Record` where `pascal` is taken. */
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
  /** snake_case, as on the wire, in the store and in `strata.json`. */
  readonly name: string
  /** camelCase, as inside the code. */
  readonly camel: string
  readonly type: FieldType
  readonly optional: boolean
  readonly unique: boolean
  readonly index: boolean
  /** Absent: no default. */
  readonly default?: DefaultValue
  /** Least value of a number, least length of a string. Absent: the type's own. */
  readonly min?: number
  /** Greatest value of a number, greatest length of a string. Absent: the type's own. */
  readonly max?: number
  /** Set for a foreign key, which is a uint whose name ends in `_id`. */
  readonly references?: Reference
}

export interface Reference {
  /** The entity referred to, in PascalCase. */
  readonly target: string
  /** The record is deleted with what it refers to, and read as a part of it. */
  readonly cascade: boolean
}

export type FieldType =
  | { readonly kind: Exclude<FieldKind, 'decimal' | 'enum'> }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'enum'; readonly values: readonly string[] }

/** The scalar field types, in the order messages list them. */
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
