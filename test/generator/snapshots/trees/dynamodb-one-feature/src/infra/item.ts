import { type Collection, type Field, searchName } from './collection.js'

/** An item of the table. Its values are texts, numbers, booleans and lists of numbers. NULL values are left out. */
export type Item = Record<string, unknown>

/**
 * Internal attributes of a record. The fields of the app have no capital letters, so names do not
 * clash.
 */
export const internal = {
  /** Counts the writes of the record, its marks and its entries, for optimistic locking. */
  version: 'VERSION',
  /** The mark of a removal in progress. */
  mark: 'REMOVING',
} as const

const internalNames: ReadonlySet<string> = new Set(['PK', 'SK', ...Object.values(internal)])

/** Converts a record, or changes to a record. Folded texts are left out: the entries have them (entries.ts). */
export function toItem(fields: Readonly<Record<string, unknown>>, collection: Collection): Item {
  const floats = new Set(namesOf(collection, 'float'))
  const searched = Object.values(collection.fields).filter(({ search }) => search)
  const folded = new Set(searched.map(searchName))
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    if (value === null || value === undefined || folded.has(name)) return []
    if (value instanceof Date) return [[name, value.toISOString()]]
    // DynamoDB has no numbers beyond 10^126.
    return [[name, floats.has(name) ? String(value) : value]]
  })
  return Object.fromEntries(kept)
}

export function fromItem(item: Item, collection: Collection): Item {
  const times = new Set([...namesOf(collection, 'datetime'), 'created_at', 'updated_at'])
  const floats = new Set(namesOf(collection, 'float'))
  const fields = Object.entries(item).filter(([name]) => !internalNames.has(name))
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if (times.has(name)) return [name, new Date(String(value))]
      return [name, floats.has(name) ? Number(value) : value]
    }),
  )
}

/** DynamoDB refuses items of more than 400 KB (409,600 bytes). The rest is for the keys and the internal attributes. */
const maxItemBytes = 400_000

export function isTooLarge(item: Item): boolean {
  return bytesOf(item) > maxItemBytes
}

/** Returns the size as DynamoDB counts it, or a few bytes more. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return 21
  if (typeof value !== 'object' || value === null) return 1
  const parts = Array.isArray(value) ? value : Object.entries(value).flat()
  return parts.reduce((sum: number, part) => sum + 1 + bytesOf(part), 3)
}

function namesOf({ fields }: Collection, type: Field['type']): string[] {
  return Object.values(fields).flatMap((field) => (field.type === type ? [field.name] : []))
}
