import type { Stored } from '../../src/repositories/repository.js'

/** A record of any kind. */
export type Entry = Stored & Record<string, unknown>

/** How one kind of record is kept in memory, and what it has to do with the others. */
export interface TableOf<Row extends Stored, _Draft = unknown, _Filter = unknown, _Details = Row> {
  name: string
  /** Fields no two records share a value of. */
  unique?: readonly (keyof Row & string)[]
  references?: readonly Reference[]
  many?: readonly Many[]
  children?: readonly Children[]
  /** Fields that a list is narrowed by, and those that its search looks in. */
  filters?: readonly (keyof Row & string)[]
  search?: readonly (keyof Row & string)[]
}

export interface Reference {
  /** The field with the id of another record. */
  key: string
  /** What is read beside it, and the field of the other record that is shown there. */
  as: string
  label?: string
  table: string
  words: string
  cascade: boolean
}

export interface Many {
  field: string
  /** Its name on the wire. */
  path: string
  table: string
  /** What the others are known by. */
  key: 'slug' | 'id'
  /** The name of the list's filter. */
  filter: string
}

export interface Children {
  field: string
  table: string
  /** Their field with the id of this record. */
  key: string
}

/** The records of one kind. Those of many-to-many relations hold ids. */
export interface MemoryTable {
  rows: Map<number, Entry>
  references: readonly Reference[]
  many: readonly Many[]
  /** The record as it is read in lists. */
  read: (row: Entry) => Entry
}

/** All records of a store in memory, by the names of their tables. */
export type MemoryTables = Map<string, MemoryTable>

export function createMemoryTables(): MemoryTables {
  return new Map()
}

export function rowsOf(tables: MemoryTables, name: string): Entry[] {
  return [...(tables.get(name)?.rows.values() ?? [])]
}
