import { expect, test } from 'vitest'
import { createEventRing } from './event-ring.ts'

test('an event ring keeps the newest events and their numbers', () => {
  const ring = createEventRing<string>(3)
  expect([ring.head(), ring.at(0), ring.at(1)]).toEqual([0, undefined, undefined])
  for (const event of ['a', 'b', 'c', 'd']) ring.append(event)
  expect(ring.head()).toBe(4)
  expect([1, 2, 3, 4, 5].map((number) => ring.at(number))).toEqual([
    undefined,
    'b',
    'c',
    'd',
    undefined,
  ])
})

test('an event ring tells whether it has every event after a number', () => {
  const ring = createEventRing<string>(3)
  expect([ring.isComplete(0), ring.isComplete(1)]).toEqual([true, false])
  for (const event of ['a', 'b', 'c', 'd']) ring.append(event)
  expect([-1, 0, 1, 4, 5].map(ring.isComplete)).toEqual([false, false, true, true, false])
})

test('a wait for the next event ends with that event, with an abort, or at once', async () => {
  const ring = createEventRing<string>(3)
  const over = new AbortController()
  const ended: string[] = []
  const next = ring.awaitAfter(0, new AbortController().signal).then(() => ended.push('next'))
  const aborted = ring.awaitAfter(9, over.signal).then(() => ended.push('aborted'))
  await Promise.resolve()
  expect(ended).toEqual([])
  ring.append('a')
  await next
  over.abort()
  await aborted
  await ring.awaitAfter(0, new AbortController().signal)
  expect(ended).toEqual(['next', 'aborted'])
})
