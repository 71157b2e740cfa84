import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationMs, durationText } from './duration.ts'

test.each([
  ['30s', 30_000],
  ['30m', 1_800_000],
  ['2h', 7_200_000],
  ['7d', 604_800_000],
])('the duration %s is %d ms', (text, ms) => {
  expect(durationMs(text)).toBe(ms)
  expect(durationText(ms)).toBe(text)
})

test.each([
  '',
  '0s',
  '-1s',
  '1',
  's',
  '1.5h',
  '01m',
  '1 m',
  '1w',
  '1M',
  '30s ',
  '99999999d',
  '1e3s',
])('durationMs refuses %j', (text) => {
  expect(durationMs(text)).toBeUndefined()
})

test('durationMs parses every durationText back to the same value', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3650 * 86_400 }), (seconds) => {
      expect(durationMs(durationText(seconds * 1000))).toBe(seconds * 1000)
    }),
  )
})
