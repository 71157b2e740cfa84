/** The tables of the store, by name. */
export type Schema = Readonly<Record<string, Table>>

/** A table, whose properties have the names of the app. Every table also has the columns of `Stored`. */
export interface Table {
  columns: Readonly<Record<string, Column>>
  /** Groups of columns whose values together are unique. */
  unique?: readonly (readonly string[])[]
  /** The name of a record in messages. */
  words: string
  /** The foreign keys from a record to its owner: its own key, or keys to the record that it is a part of. */
  owner?: readonly string[]
  /** The foreign keys from a record to each user who may see the record. Absent: everybody may. */
  viewers?: readonly (readonly string[])[]
  references?: readonly Reference[]
  many?: readonly Many[]
  children?: readonly Children[]
}

export interface Column {
  name: string
  /** The type of values that have another form in the store. */
  type?: 'bool' | 'date' | 'datetime' | 'decimal' | 'json'
  /** The number of digits after the point of a decimal. */
  scale?: number
  /** Whether the column may be NULL. */
  optional?: true
  unique?: true
  /** Lists can be filtered by this column. */
  filter?: true
  /** The search of lists compares the column `<name>_search`, which has the folded text. */
  search?: true
}

interface Reference {
  /** The foreign key. */
  key: string
  to: string
  /** The property with a summary of the referenced record: its id and its `label`. */
  as: string
  label?: string
}

/** A many-to-many relation. */
export interface Many {
  field: string
  /** The field's name in JSON. */
  path: string
  to: string
  /** The property of the linked records that drafts and filters use. */
  key: 'slug' | 'id'
  filter: string
  /** The table of the links, and its columns with the ids of the record and of the linked record. */
  links: string
  holder: 'A' | 'B'
  target: 'A' | 'B'
}

/** The parts of a record. `find` reads the newest ones and their number. */
interface Children {
  field: string
  total: string
  of: string
  /** The foreign key of the parts. */
  key: string
}
