/** All that the store keeps: collections by their names there. */
export type Schema = Readonly<Record<string, Collection>>

/** How one kind of record is kept, and what it has to do with the others. */
export interface Collection {
  /** What messages call one of them. */
  words: string
  /** By their names in the app. */
  fields: Readonly<Record<string, Field>>
  references?: readonly Reference[]
  many?: readonly Many[]
  children?: readonly Children[]
}

export interface Field {
  /** In the store. */
  name: string
  type: FieldType
  /** Digits after the point of a decimal, which is kept as text. */
  scale?: number
  /** It may be empty. */
  optional?: true
  /** No two records share a value. */
  unique?: true
  /** It has an index of its own. */
  index?: true
  /** Lists are narrowed by it. */
  filter?: true
  /** Lists are searched in it. */
  search?: true
  /** What records get that were there before the field was; `now` is the time they get it. */
  default?: string | number | boolean | { now: 'date' | 'datetime' }
}

export type FieldType =
  | 'string'
  | 'text'
  | 'email'
  | 'uuid'
  | 'enum'
  | 'date'
  | 'decimal'
  | 'int'
  | 'uint'
  | 'float'
  | 'bool'
  | 'datetime'
  | 'json'

export interface Reference {
  /** The field with the id of another record. */
  key: string
  to: string
  /** What is read beside it, and the other record's field that is shown there. */
  as: string
  label?: string
  /** The record falls with the one it refers to; else that one stays while it is referred to. */
  cascade?: true
}

/** Links to other records, kept as a list of their ids. */
export interface Many {
  field: string
  /** In the store, and on the wire. */
  name: string
  to: string
  /** What drafts and filters know the others by. */
  key: 'slug' | 'id'
  /** The name of the list's filter. */
  filter: string
}

/** Records that are read with the one they refer to. */
export interface Children {
  field: string
  of: string
  /** Their field with the id of this record. */
  key: string
}

/** The name in the store of a field of the app. */
export function nameOf({ fields }: Collection, key: string): string {
  return fields[key]?.name ?? key
}

/** Where the folded text of a searched field is kept. */
export function searchName({ name }: Field): string {
  return `${name}_search`
}
