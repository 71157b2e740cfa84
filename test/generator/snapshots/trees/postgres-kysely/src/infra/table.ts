/** The tables of the store, by name. */
export type Schema = Readonly<Record<string, Table>>

/** A table, whose properties have the names of the app. Every table also has the columns of `Stored`. */
export interface Table {
  columns: Readonly<Record<string, Column>>
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
