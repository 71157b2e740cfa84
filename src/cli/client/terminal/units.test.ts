import { expect, test } from 'vitest'
import { formatAge, formatBytes, formatDuration, formatUntil } from './units.ts'

test.each([
  [400, '0.4 s'],
  [12_300, '12 s'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [432_000_000, '5 d'],
])('%i ms are formatted as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('the age of a time is formatted, and a future time counts as now', () => {
  const now = Date.parse('2026-01-31T12:00:00Z')
  expect(formatAge('2026-01-31T11:57:00Z', now)).toBe('3 min ago')
  expect(formatAge('2026-01-31T13:00:00Z', now)).toBe('0 s ago')
})

test('bytes are formatted in the largest unit', () => {
  expect([0, 900, 1536, 5 * 2 ** 30, 300 * 2 ** 20].map(formatBytes)).toEqual([
    '0 B',
    '900 B',
    '1.5 KiB',
    '5.0 GiB',
    '300 MiB',
  ])
})

test.each([
  [null, 'never'],
  ['2026-01-31T11:59:59Z', 'now'],
  ['2026-01-31T12:00:30Z', 'in 30 s'],
  ['2026-01-31T12:30:00Z', 'in 30 min'],
  ['2026-02-07T12:00:00Z', 'in 7 d'],
])('the expiry %s is shown as %s', (time, text) => {
  expect(formatUntil(time, Date.parse('2026-01-31T12:00:00Z'))).toBe(text)
})
