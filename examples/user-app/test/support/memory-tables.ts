import type { Stored } from '../../src/repositories/repository.js'

/** A record of any feature. */
export type Entry = Stored & Record<string, unknown>

/** Describes the records of one feature and their relations. */
export interface TableOf<Row extends Stored, _Draft = unknown, _Filter = unknown, _Details = Row> {
  name: string
  /** Unique fields, and groups of fields whose values together are unique. */
  unique?: readonly ((keyof Row & string) | readonly (keyof Row & string)[])[]
  /** The foreign keys from a record to its owner, and to each user who may see the record. */
  owner?: readonly string[]
  viewers?: readonly (readonly string[])[]
  references?: readonly Reference[]
  many?: readonly Many[]
  children?: readonly Children[]
  /** Fields that filter a list by equality, by comparison, that sort it, and that its search matches. */
  filters?: readonly (keyof Row & string)[]
  ranges?: readonly (keyof Row & string)[]
  sorts?: readonly (keyof Row & string)[]
  search?: readonly (keyof Row & string)[]
  /** Fields of `sorts` that can be NULL. */
  nullable?: readonly (keyof Row & string)[]
  /** Fields with the text of an exact number. */
  decimals?: readonly (keyof Row & string)[]
}

interface Reference {
  /** The foreign key. */
  key: string
  /** Name of the embedded summary, and the field of the referenced record in that summary. */
  as: string
  label?: string
  table: string
  words: string
  cascade: boolean
}

export interface Many {
  field: string
  /** The field's name in JSON. */
  path: string
  table: string
  /** Key of the related records in a draft. */
  key: 'slug' | 'id'
  /** The list's filter on this relation. */
  filter: string
}

interface Children {
  field: string
  table: string
  /** The children's foreign key to this record, and the name of its summary, which they lack here. */
  key: string
  whole: string
}

/** Stored records of one feature. Their many-to-many fields hold ids. */
interface MemoryTable {
  rows: Map<number, Entry>
  references: readonly Reference[]
  many: readonly Many[]
  /** Returns a record as lists show it, with summaries and related records. */
  read: (row: Entry) => Entry
}

/** Tables by name. */
export type MemoryTables = Map<string, MemoryTable>

export function createMemoryTables(): MemoryTables {
  return new Map()
}

export function rowsOf(tables: MemoryTables, name: string): Entry[] {
  return [...(tables.get(name)?.rows.values() ?? [])]
}

/** Follows a path of foreign keys from a record. Returns the last key, undefined if a record on the path is absent. */
export function follow(
  tables: MemoryTables,
  name: string,
  id: unknown,
  path: readonly string[],
): unknown {
  const [key = '', ...rest] = path
  const table = tables.get(name)
  const value = table?.rows.get(Number(id))?.[key]
  const next = table?.references.find((reference) => reference.key === key)
  return rest.length > 0 && next ? follow(tables, next.table, value, rest) : value
}
