import type { Document as Bson, Filter } from 'mongodb'
import { comparedName, comparedValue } from '../infra/order-keys.js'
import { comparisonsAfter } from './document-order.js'
import type { Comparison, Condition, Order, Section } from './document-store.js'

/** A document in MongoDB. NULL values are left out: a sparse index would contain a null. */
export interface StoredDocument extends Bson {
  _id: number
}

export function toFilter(condition: Condition): Filter<StoredDocument> {
  const tests = condition.ranges.map(toTest)
  const lists = Object.entries(condition.among ?? {})
  tests.push(...lists.map(([name, ids]) => ({ [name]: { $in: [...ids] } })))
  const { contains } = condition
  const $regex = contains && escapeRegExp(contains.text)
  if (contains) tests.push({ $or: contains.names.map((name) => ({ [name]: { $regex } })) })
  return {
    ...condition.equal,
    ...condition.includes,
    ...(tests.length > 0 && { $and: tests }),
  }
}

/** Returns the filter of the documents in a section. */
export function toSectionFilter(
  condition: Condition,
  { order, after }: Section,
): Filter<StoredDocument> {
  const filter = toFilter(condition)
  if (!after) return filter
  const { from, any } = comparisonsAfter(order, after)
  const $or = any.map((comparisons) => ({ $and: comparisons.map(toTest) }))
  // The server refuses an empty list. No record comes after NULL as the last value.
  const following = $or.length > 0 ? { $or } : { _id: { $in: [] } }
  return { $and: [filter, ...from.map(toTest), following] }
}

export function toSort(order: readonly Order[]): Record<string, 1 | -1> {
  return Object.fromEntries(
    order.map(({ field, descending }) => [comparedName(field), descending ? -1 : 1]),
  )
}

const operators = {
  ...{ equals: '$eq', gte: '$gte', gt: '$gt', lte: '$lte', lt: '$lt' },
  // A missing value equals null.
  ...{ null: '$eq', present: '$ne' },
} as const satisfies Record<Comparison['is'], string>

function toTest({ field, is, value = null }: Comparison): Filter<StoredDocument> {
  return { [comparedName(field)]: { [operators[is]]: comparedValue(field, value) } }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
