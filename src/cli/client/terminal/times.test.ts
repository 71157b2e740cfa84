import { expect, test } from 'vitest'
import { ago, lengthOf, sizeOf } from './times.ts'

test.each([
  [400, '0.4 s'],
  [12_300, '12 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [432_000_000, '5 d'],
])('%i ms are %s', (ms, text) => {
  expect(lengthOf(ms)).toBe(text)
})

test('a time is so long ago, and one that is to come is now', () => {
  const now = Date.parse('2026-01-31T12:00:00Z')
  expect(ago('2026-01-31T11:57:00Z', now)).toBe('3 min ago')
  expect(ago('2026-01-31T13:00:00Z', now)).toBe('0 s ago')
})

test('bytes are shown in the largest unit', () => {
  expect([0, 900, 1536, 5 * 2 ** 30, 300 * 2 ** 20].map(sizeOf)).toEqual([
    '0 B',
    '900 B',
    '1.5 KiB',
    '5.0 GiB',
    '300 MiB',
  ])
})
