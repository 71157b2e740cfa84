import { expect, test } from 'vitest'
import { bytesText, counted, durationWords, relativeText } from './format.ts'

const now = Date.parse('2026-01-31T12:00:00Z')

test.each([
  [0, 'just now'],
  [-20, 'just now'],
  [-45, 'less than a minute ago'],
  [-90, '1 min. ago'],
  [-3 * 3600, '3 hr. ago'],
  [-26 * 3600, '1 day ago'],
  [7 * 86_400, 'in 7 days'],
  [30, 'in less than a minute'],
  [-400 * 86_400, '1 yr. ago'],
])('a time %s s from now reads %s', (seconds, text) => {
  expect(relativeText(now + seconds * 1000, now)).toBe(text)
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1536, '1.5 KiB'],
  [24 * 2 ** 30, '24 GiB'],
  [350 * 2 ** 20, '350 MiB'],
])('%s bytes read %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test('counts and durations have their plural', () => {
  expect(counted(1, 'branch', 'branches')).toBe('1 branch')
  expect(counted(1200, 'branch', 'branches')).toBe('1,200 branches')
  expect(durationWords('30d')).toBe('30 days')
  expect(durationWords('1h')).toBe('1 hour')
})
