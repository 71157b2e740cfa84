import { expect, test } from 'vitest'
import type { Collection } from './collection.js'
import { fromItem, isTooLarge, toItem } from './item.js'

const trips: Collection = {
  words: 'trip',
  fields: {
    name: { name: 'name', type: 'string', search: true },
    length: { name: 'length', type: 'float' },
    startsAt: { name: 'starts_at', type: 'datetime', optional: true },
  },
}

test('fromItem restores the times and numbers that toItem has converted', () => {
  const trip = {
    id: 1,
    name: 'Far',
    length: 1.5e300,
    starts_at: new Date(0),
    created_at: new Date(1),
  }
  const item = toItem({ ...trip, name_search: 'far' }, trips)
  expect(item).toEqual({
    id: 1,
    name: 'Far',
    length: '1.5e+300',
    starts_at: '1970-01-01T00:00:00.000Z',
    created_at: '1970-01-01T00:00:00.001Z',
  })
  expect(fromItem({ PK: 'trips#1', SK: '-', VERSION: 2, ...item }, trips)).toEqual(trip)
})

test('toItem leaves NULL values out', () => {
  expect(toItem({ name: '', starts_at: null }, trips)).toEqual({ name: '' })
})

test('isTooLarge is true for an item beyond the limit of DynamoDB', () => {
  expect(isTooLarge({ id: 1, text: 'x'.repeat(390_000) })).toBe(false)
  expect(isTooLarge({ id: 1, text: 'é'.repeat(205_000) })).toBe(true)
})
