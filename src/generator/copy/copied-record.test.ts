import { expect, test } from 'vitest'
import { canonicalJson, differenceOf, hashOf } from './copied-record.ts'

test('canonical JSON sorts keys at every depth, and keeps the order of lists', () => {
  expect(canonicalJson({ b: [2, { d: null, c: 1 }], a: 'é' })).toBe(
    '{"a":"é","b":[2,{"c":1,"d":null}]}',
  )
})

test('batches with equal contents have equal hashes', () => {
  expect(hashOf([{ id: 1, extra: { a: 1, b: 2 } }])).toBe(
    hashOf([{ extra: { b: 2, a: 1 }, id: 1 }]),
  )
  expect(hashOf([{ id: 1, title: 'a' }])).not.toBe(hashOf([{ id: 1, title: 'b' }]))
})

test.each([
  [[{ id: 1 }], [{ id: 1 }], undefined],
  [[{ id: 1 }, { id: 2 }], [{ id: 1 }], 'record 2 is missing in the new store'],
  [[{ id: 1 }, { id: 2 }], [{ id: 2 }], 'record 1 is missing in the new store'],
  [[{ id: 2 }], [{ id: 1 }, { id: 2 }], 'record 1 is in the new store only'],
  [[], [{ id: 3 }], 'record 3 is in the new store only'],
  [[{ id: 1, a: 1, b: 2 }], [{ id: 1, a: 2, b: null }], 'record 1 differs in a, b'],
])('names the first difference of two batches: %j and %j', (source, target, difference) => {
  expect(differenceOf(source, target)).toBe(difference)
})
