import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainNumber } from './plain-number.ts'

test.each([
  [1e-7, '0.0000001'],
  [-1.25e-8, '-0.0000000125'],
  [1e21, '1000000000000000000000'],
  [1.5e22, '15000000000000000000000'],
  ['1.25e1', '12.5'],
  [-0.5, '-0.5'],
  ['10.50', '10.50'],
])('plainNumber writes %s as %s', (value, text) => {
  expect(plainNumber(value)).toBe(text)
})

test('plainNumber keeps the value of any number and writes no exponent', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = plainNumber(value)
      expect(text).toMatch(/^-?\d+(\.\d+)?$/)
      expect(Number(text)).toBe(value + 0)
    }),
  )
})
