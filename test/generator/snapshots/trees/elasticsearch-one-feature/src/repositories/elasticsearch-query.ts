import type { estypes } from '@elastic/elasticsearch'
import { comparedName, comparedValue } from '../infra/mapping.js'
import { toSearchText } from '../infra/search-text.js'
import { comparisonsAfter } from './document-order.js'
import { collectionOf } from './document-schema.js'
import type { Comparison, Condition, Order, Section } from './document-store.js'

type Query = estypes.QueryDslQueryContainer

export function toQuery(collection: string, condition: Condition): Query {
  const fields = new Map(
    Object.values(collectionOf(collection).fields).map((field) => [field.name, field]),
  )
  const equal = Object.entries({ ...condition.equal })
  const terms = equal.map(([name, value]): Query => {
    const field = fields.get(name)
    return { term: { [field ? comparedName(field) : name]: value as estypes.FieldValue } }
  })
  const filter = [...terms, ...condition.ranges.map(toTest)]
  const { contains } = condition
  // Every text contains the empty text.
  if (contains?.text) {
    const query = toSearchText(contains.text)
    filter.push(toAny(contains.names.map((name) => ({ match_phrase: { [name]: query } }))))
  }
  return { bool: { filter } }
}

/** Returns the query of the documents after a position. */
export function toFollowing({ order, after }: Section): Query[] {
  if (!after) return []
  const { any } = comparisonsAfter(order, after)
  return [toAny(any.map((comparisons) => ({ bool: { filter: comparisons.map(toTest) } })))]
}

export function toSort(order: readonly Order[]): estypes.SortCombinations[] {
  return order.map(({ field, descending }) => ({
    [comparedName(field)]: {
      ...(descending ? { order: 'desc', missing: '_last' } : { order: 'asc', missing: '_first' }),
      // The server sorts NULL as the smallest number of the type, which is also a valid `int`.
      ...(field.type === 'int' && { numeric_type: 'long' }),
    },
  }))
}

function toTest({ field, is, value }: Comparison): Query {
  const name = comparedName(field)
  if (is === 'present') return { exists: { field: name } }
  if (is === 'null') return { bool: { must_not: { exists: { field: name } } } }
  const compared = comparedValue(field, value) as estypes.FieldValue
  return is === 'equals'
    ? { term: { [name]: compared } }
    : { range: { [name]: { [is]: compared } } }
}

/** Returns the query of the documents that match one of the queries; none if there is no query. */
function toAny(should: readonly Query[]): Query {
  return should.length > 0
    ? { bool: { should: [...should], minimum_should_match: 1 } }
    : { match_none: {} }
}
