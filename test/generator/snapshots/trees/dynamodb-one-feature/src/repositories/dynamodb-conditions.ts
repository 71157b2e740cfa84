import { indexedNames } from '../infra/entries.js'
import type { Item } from '../infra/item.js'
import { listPartition, valuePartition } from '../infra/keys.js'
import { comparedValue } from '../infra/order-values.js'
import type { Filter } from '../infra/pages.js'
import { collectionOf } from './document-schema.js'
import type { Condition } from './document-store.js'

/**
 * Returns the smallest partition that contains all matches of a condition, and the filter for that
 * partition. Ignores `among`.
 */
export function partitionFor(name: string, condition: Condition) {
  const [field, ...others] = Object.keys(condition.equal)
  const isOnlyCondition = others.length + condition.ranges.length === 0
  if (field && isOnlyCondition && indexedNames(collectionOf(name)).includes(field)) {
    return { partition: valuePartition(name, field, condition.equal[field]) }
  }
  return entriesFor(name, condition)
}

/** Like `partitionFor`, but the entries of the partition contain the fields that lists compare. */
export function entriesFor(name: string, condition: Condition) {
  const partition = listPartition(name)
  return { partition, filter: filterFor(condition) }
}

const operators = { equals: '=', gte: '>=', gt: '>', lte: '<=', lt: '<' } as const

/** Returns a filter expression. All names are `#` placeholders: DynamoDB reserves many words. */
function filterFor(condition: Condition): Filter | undefined {
  const tests: string[] = []
  const names: Record<string, string> = {}
  const values: Item = {}
  const add = (name: string, test: string, placeholder: string, value: unknown) => {
    tests.push(test)
    names[`#${name}`] = name
    values[placeholder] = value
  }
  for (const [name, value] of Object.entries(condition.equal))
    add(name, `#${name} = :${name}`, `:${name}`, value)
  condition.ranges.forEach(({ field, is, value }, at) => {
    const test = `#${field.name} ${operators[is]} :RANGE${at}`
    add(field.name, test, `:RANGE${at}`, comparedValue(field, value))
  })
  return tests.length === 0 ? undefined : { expression: tests.join(' AND '), names, values }
}
