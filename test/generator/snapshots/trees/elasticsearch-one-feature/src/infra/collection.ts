/** The collections of the store, by name. */
export type Schema = Readonly<Record<string, Collection>>

/** A collection: the fields of its records, and their relations. */
export interface Collection {
  /** The name of a record in messages. */
  words: string
  /** By the field's name in the app. */
  fields: Readonly<Record<string, Field>>
  /** Groups of fields whose values together are unique, by name. */
  unique?: readonly (readonly string[])[]
  /** Indexes of several fields, by name. */
  index?: readonly (readonly string[])[]
  references?: readonly Reference[]
  many?: readonly Many[]
}

export interface Field {
  /** The field's name in the store. */
  name: string
  type: FieldType
  /** The number of digits after the point of a decimal. Decimals are stored as text. */
  scale?: number
  /** Whether the field may be NULL. */
  optional?: true
  /** No two records have the same value. */
  unique?: true
  /** Whether the field has an index. */
  index?: true
  /** Lists can be filtered by this field. */
  filter?: true
  /** Lists can be filtered by a range of this field. */
  range?: true
  /** Lists can be sorted by this field. */
  sort?: true
  /** The text search of lists includes this field. */
  search?: true
  /** The value for records that are older than the field. `now` is the time of the update. */
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

interface Reference {
  /** The foreign key: the field with the id of the referenced record. */
  key: string
  to: string
  /** The property with a summary of the referenced record: its id and its `label`. */
  as: string
  label?: string
  /**
   * Removing the referenced record also removes this record. Without `cascade`, this record
   * prevents the removal.
   */
  cascade?: true
}

/** A many-to-many relation, stored as a list of the linked ids. */
interface Many {
  field: string
  /** The name in the store and in JSON. */
  name: string
  to: string
  /** The field of the linked records that drafts and filters use. */
  key: 'slug' | 'id'
  /** The filter of the list. */
  filter: string
}

/** Returns the fields that are unique, and the groups of fields that are unique together, by name. */
export function uniqueGroups({
  fields,
  unique = [],
}: Pick<Collection, 'fields' | 'unique'>): (readonly string[])[] {
  return [
    ...Object.values(fields).flatMap((field) => (field.unique ? [[field.name]] : [])),
    ...unique,
  ]
}

/** Returns the name under which the folded text of a searched field is stored. */
export function searchName({ name }: Field): string {
  return `${name}_search`
}
