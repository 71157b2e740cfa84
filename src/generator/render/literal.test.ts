import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { literal } from './literal.ts'

test.each([
  ['plain', "'plain'"],
  ["it's", "'it\\'s'"],
  ['say "hi"', `'say "hi"'`],
  ['a\\b', "'a\\\\b'"],
  ['a\nb', "'a\\nb'"],
  [1.5, '1.5'],
  [-1e21, '-1e+21'],
  [true, 'true'],
])('literal prints %j as %s', (value, text) => {
  expect(literal(value)).toBe(text)
})

test('literal prints code that evaluates to the value', () => {
  const value = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom("'", '"', '\\', '\n', '`', '$', '{', '\u2028', '\u0007') }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  )
  fc.assert(
    fc.property(value, (given) => {
      expect(runInThisContext(literal(given))).toBe(given === 0 ? 0 : given)
    }),
  )
})
