import type { Collection, Field } from '../infra/collection.js'
import type { Bound, Order } from './document-store.js'
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

/** Returns the bounds in the ranges of a filter. */
export function rangesOf({ fields }: Collection, filter: Record<string, unknown>): Bound[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const bounds = field.range ? Object.entries(filter[key] ?? {}) : []
    const given = bounds.filter(([, value]) => value !== undefined)
    return given.map(([is, value]) => ({ field, is: is as Bound['is'], value }))
  })
}
