import { expect, test } from 'vitest'
import { createLineRing, type LogEntry } from './line-ring.ts'

const entry = (id: number, text = `line ${id}`): LogEntry => ({
  id,
  ts: '2026-01-31T12:00:00.000Z',
  stream: 'stdout',
  text,
})

test('a ring keeps the newest lines under their numbers', () => {
  const ring = createLineRing(3, 1000)
  for (let id = 0; id < 8; id += 1) ring.push(entry(id))
  expect([ring.first(), ring.end()]).toEqual([5, 8])
  expect([4, 5, 7, 8].map((seq) => ring.at(seq)?.text)).toEqual([
    undefined,
    'line 5',
    'line 7',
    undefined,
  ])
})

test('a ring is bounded by characters too, and keeps the newest line whatever its length', () => {
  const ring = createLineRing(100, 10)
  ring.push(entry(0, 'aaaa'))
  ring.push({ ...entry(1, 'bbb'), styled: 'BBB' })
  expect(ring.first()).toBe(0)
  ring.push(entry(2, 'c'))
  expect([ring.first(), ring.end()]).toEqual([1, 3])
  ring.push(entry(3, 'd'.repeat(50)))
  expect([ring.first(), ring.end()]).toEqual([3, 4])
  expect(ring.at(3)?.text).toHaveLength(50)
})

test('a ring of 200,000 lines holds no more after a million', () => {
  const ring = createLineRing(200_000, 2 ** 26)
  for (let id = 0; id < 1_000_000; id += 1) ring.push(entry(id, 'x'))
  expect(ring.end() - ring.first()).toBe(200_000)
  expect(ring.at(999_999)?.id).toBe(999_999)
})
