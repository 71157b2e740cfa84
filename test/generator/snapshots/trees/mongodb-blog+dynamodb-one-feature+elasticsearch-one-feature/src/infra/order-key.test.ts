import { expect, test } from 'vitest'
import { decimalKey } from './order-key.js'

const ascending =
  '-100 -99.5 -20 -3.14 -3.1 -3 -0.5 -0.25 0 0.001 0.01 0.5 1 1.05 1.5 9 10 99999999999999999999.5'

test('decimalKey returns texts in the order of the numbers', () => {
  const keys = ascending.split(' ').map(decimalKey)
  expect(keys.toSorted()).toEqual(keys)
  expect(new Set(keys).size).toBe(keys.length)
})

test('decimalKey returns the same text for equal numbers', () => {
  expect(['0', '-0', '0.00', '-0.0'].map(decimalKey)).toEqual(Array(4).fill(decimalKey('0')))
  expect(decimalKey('007.50')).toBe(decimalKey('7.5'))
  expect(decimalKey('-0.10')).toBe(decimalKey('-0.1'))
})
