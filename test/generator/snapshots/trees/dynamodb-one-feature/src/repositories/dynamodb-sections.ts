import type { Table } from '../infra/get-items.js'
import type { Item } from '../infra/item.js'
import { idInSortKey, timeInSortKey } from '../infra/keys.js'
import { comparedValue, compareValues } from '../infra/order-values.js'
import { idsInOrder, idsInRange } from '../infra/pages.js'
import type { Condition, Order, Section } from './document-store.js'
import { entriesFor, partitionFor } from './dynamodb-conditions.js'

/**
 * Returns the ids in a section of a list, and the number of all matches. Index entries are sorted by time. For another
 * order, and after a position, reads the compared fields of all matches, but never their records.
 */
export async function findSection(
  table: Table,
  name: string,
  condition: Condition,
  section: Section,
) {
  const { order, after, offset, limit } = section
  const names = order.map(({ field }) => field.name)
  const attributes = [...new Set(names.filter((each) => !inSortKey.has(each)))]
  const place = attributes.length > 0 ? entriesFor(name, condition) : partitionFor(name, condition)
  const range = { ...place, start: offset, end: offset + limit }
  if (!after && attributes.length === 0 && isNewestFirst(order)) return idsInRange(table, range)
  const fields = order.map(({ field }) => field)
  const position = after?.map((value, at) => fields[at] && comparedValue(fields[at], value))
  return idsInOrder(table, {
    ...range,
    names: attributes,
    isAfter: (entry) => !position || compareAll(order, valuesIn(entry), position) > 0,
    compare: (one, other) => compareAll(order, valuesIn(one), valuesIn(other)),
  })

  function valuesIn(entry: Item): unknown[] {
    return fields.map(({ name }) => inSortKey.get(name)?.(String(entry.SK)) ?? entry[name])
  }
}

/** The fields in the sort key of an entry. */
const inSortKey = new Map<string, (sortKey: string) => unknown>([
  ['id', idInSortKey],
  ['created_at', timeInSortKey],
])

function isNewestFirst([first, ...others]: readonly Order[]): boolean {
  return (
    first?.field.name === 'created_at' && [first, ...others].every(({ descending }) => descending)
  )
}

function compareAll(
  order: readonly Order[],
  one: readonly unknown[],
  other: readonly unknown[],
): number {
  for (const [at, { descending }] of order.entries()) {
    const compared = compareValues(one[at], other[at])
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}
