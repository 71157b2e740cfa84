import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reuse } from './reuse.ts'

test('returns the previous value if nothing changed', () => {
  const previous = [{ id: 1, branch: { name: 'main' } }]
  expect(reuse(previous, structuredClone(previous))).toBe(previous)
})

test('keeps the records that did not change, also if the order changes', () => {
  const previous = [
    { id: 1, state: 'running' },
    { id: 2, state: 'running' },
  ]
  const next = reuse(previous, [
    { id: 2, state: 'running' },
    { id: 1, state: 'paused' },
  ])
  expect(next[0]).toBe(previous[1])
  expect(next[1]).toEqual({ id: 1, state: 'paused' })
})

test('notices removed keys and shorter lists', () => {
  expect(reuse({ one: 1, two: 2 }, { one: 1 })).toEqual({ one: 1 })
  expect(reuse([1, 2], [1])).toEqual([1])
})

test('equals the next value for any two JSON values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (previous, next) => {
      expect(reuse(previous, next)).toEqual(next)
    }),
  )
})
