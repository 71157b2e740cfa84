import { expect, test } from 'vitest'
import { comparedValue, compareValues } from './order-values.js'

function inOrder(type: 'float' | 'decimal' | 'string', values: readonly unknown[]): unknown[] {
  return values.toSorted((one, other) =>
    compareValues(comparedValue({ type }, one), comparedValue({ type }, other)),
  )
}

test('compareValues sorts numbers by value, and NULL first', () => {
  const floats = [null, -1e308, -2.5, -1, -5e-324, 0, 5e-324, 0.1, 1, 10, 1e300]
  expect(inOrder('float', floats.toReversed())).toEqual(floats)
  expect(inOrder('decimal', ['10', '9.5', null, '-1', '-1.5'])).toEqual([
    null,
    '-1.5',
    '-1',
    '9.5',
    '10',
  ])
})

test('compareValues finds -0 equal to 0', () => {
  expect(comparedValue({ type: 'float' }, -0)).toBe(comparedValue({ type: 'float' }, 0))
})

test('compareValues sorts texts by code point', () => {
  expect(inOrder('string', ['\u{1f389}', '\ufb01', 'a', 'B', ''])).toEqual([
    '',
    'B',
    'a',
    '\ufb01',
    '\u{1f389}',
  ])
})
