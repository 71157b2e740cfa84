import { expect, test } from 'vitest'
import { serve } from '../../test/support/scripted-service.js'
import type { Item } from './item.js'
import { sortKeyOf } from './keys.js'
import { idsIn, idsInOrder, idsInRange } from './pages.js'

const entry = (id: number) => ({ SK: { S: sortKeyOf('2020-01-01T00:00:00.000Z', id) } })

/** A response of the service, which is the last one unless `hasMore` is set. */
const response = (ids: readonly number[], { hasMore = false } = {}) => ({
  Items: ids.map(entry),
  Count: ids.length,
  ...(hasMore && { LastEvaluatedKey: { PK: { S: 'posts' }, ...entry(ids.at(-1) ?? 0) } }),
})

const filter = { expression: '#a = :a', names: { '#a': 'a' }, values: { ':a': 1 } }

test('idsInRange counts the entries after the range without reading them', async () => {
  const store = await serve(response([9, 8, 7], { hasMore: true }), { Count: 4 })
  const range = { partition: 'posts', start: 1, end: 3 }
  expect(await idsInRange(store, range)).toEqual({ ids: [8, 7], total: 7 })
  expect(store.requests).toMatchObject([
    { ProjectionExpression: 'SK', Limit: 3, ConsistentRead: true, ScanIndexForward: false },
    { Select: 'COUNT', ExclusiveStartKey: entry(7), ScanIndexForward: false },
  ])
})

test('idsInRange reads filtered entries up to the range, without a limit', async () => {
  const store = await serve(response([9, 8], { hasMore: true }), response([7, 6, 5]))
  const range = { partition: 'posts', filter, start: 1, end: 4 }
  expect(await idsInRange(store, range)).toEqual({ ids: [8, 7, 6], total: 5 })
  for (const each of store.requests) expect(each).not.toHaveProperty('Limit')
})

test('idsInOrder sorts the entries of all responses by their attributes, and counts those that lists contain', async () => {
  const priced = (id: number, price: number) => ({ ...entry(id), price: { N: String(price) } })
  const first = {
    Items: [priced(1, 5), priced(2, 3)],
    Count: 2,
    LastEvaluatedKey: { PK: { S: 'posts' }, ...entry(2) },
  }
  const store = await serve(first, { Items: [priced(3, 9), priced(4, 1), priced(5, 4)], Count: 3 })
  const price = (item: Item) => Number(item.price)
  const selection = {
    partition: 'posts',
    names: ['price'],
    isAfter: (item: Item) => price(item) > 1,
    compare: (one: Item, other: Item) => price(one) - price(other),
  }
  expect(await idsInOrder(store, { ...selection, start: 1, end: 3 })).toEqual({
    ids: [5, 1],
    total: 5,
  })
  expect(store.requests).toMatchObject([
    { ProjectionExpression: '#SK, #price', ConsistentRead: true },
    { ExclusiveStartKey: entry(2) },
  ])
})

test('idsIn reads a whole partition, or the first ids up to the limit', async () => {
  const answers = [response([1, 2], { hasMore: true }), response([3])]
  expect(await idsIn(await serve(...answers), 'posts/author_id=1')).toEqual([1, 2, 3])
  const store = await serve(...answers)
  expect(await idsIn(store, 'posts/author_id=1', 2)).toEqual([1, 2])
  expect(store.requests).toHaveLength(1)
})
