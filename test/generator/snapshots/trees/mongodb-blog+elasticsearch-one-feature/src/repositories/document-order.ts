import type { Collection, Field } from '../infra/collection.js'
import type { Bound, Comparison, Order } from './document-store.js'
import type { Sort } from './repository.js'

/** The fields that every record has beside those of its collection. */
const managed: ReadonlyMap<string, Field> = new Map([
  ['id', { name: 'id', type: 'uint' }],
  ['createdAt', { name: 'created_at', type: 'datetime' }],
  ['updatedAt', { name: 'updated_at', type: 'datetime' }],
])

const newestFirst: Sort = [{ field: 'createdAt', descending: true }]

/** Returns the order of a list. Ids break ties, in the direction of the first field. */
export function orderOf({ fields }: Collection, sort: Sort = newestFirst): Order[] {
  const ties = { field: 'id', descending: sort[0].descending }
  const all = sort.some(({ field }) => field === 'id') ? sort : [...sort, ties]
  return all.map(({ field: key, descending }) => {
    const field = managed.get(key) ?? fields[key]
    if (!field) throw new Error(`the collection has no field ${key}`)
    return { field, descending }
  })
}

/**
 * Returns the condition of the documents after a position: one of the lists in `any` holds, with all of its
 * comparisons. `from` follows from `any`: it tells an index where to begin.
 */
export function comparisonsAfter(order: readonly Order[], after: readonly unknown[]) {
  const any = order.flatMap((each, at) => {
    const same = order.slice(0, at).map(({ field }, before) => equals(field, after[before]))
    return beyond(each, after[at]).map((comparison) => [...same, comparison])
  })
  const [first] = order
  return { from: first ? notBefore(first, after[0]) : [], any }
}

function equals(field: Field, value: unknown): Comparison {
  return value === null ? { field, is: 'null' } : { field, is: 'equals', value }
}

function beyond({ field, descending }: Order, value: unknown): Comparison[] {
  if (value === null) return descending ? [] : [{ field, is: 'present' }]
  if (!descending) return [{ field, is: 'gt', value }]
  const less = { field, is: 'lt', value } as const
  return field.optional ? [less, { field, is: 'null' }] : [less]
}

function notBefore({ field, descending }: Order, value: unknown): Comparison[] {
  if (value === null || (descending && field.optional)) return []
  return [{ field, is: descending ? 'lte' : 'gte', value }]
}

/** Returns the bounds in the ranges of a filter. */
export function rangesOf({ fields }: Collection, filter: Record<string, unknown>): Bound[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const bounds = field.range ? Object.entries(filter[key] ?? {}) : []
    const given = bounds.filter(([, value]) => value !== undefined)
    return given.map(([is, value]) => ({ field, is: is as Bound['is'], value }))
  })
}
