import type { Stored } from '../../src/repositories/repository.js'

/** A record of any feature. */
type Entry = Stored & Record<string, unknown>

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

interface Many {
  field: string
  /** The field's name in JSON. */
  path: string
  table: string
  /** Key of the related records in a draft. */
  key: 'slug' | 'id'
  /** The list's filter on this relation. */
  filter: string
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
type MemoryTables = Map<string, MemoryTable>

export function createMemoryTables(): MemoryTables {
  return new Map()
}
