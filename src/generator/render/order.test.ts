import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byName } from './order.ts'

test.each([
  ['numbers by value', ['a2', 'a10', 'a100']],
  ['an upper-case letter just before its lower-case letter', ['A', 'a', 'B', 'b']],
  ['a prefix before longer names', ['blog', 'blog-post', 'blogs']],
  ['punctuation before numbers before letters', ['a/b', 'a.b', 'a-b', 'a1', 'ab']],
])('byName sorts %s', (_, sorted) => {
  expect(sorted.toReversed().sort(byName)).toEqual(sorted)
})

test('byName is antisymmetric and transitive', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9./_-]{1,8}$/)
  fc.assert(
    fc.property(name, name, name, (a, b, c) => {
      expect(Math.sign(byName(a, b))).toBe(0 - Math.sign(byName(b, a)))
      if (byName(a, b) <= 0 && byName(b, c) <= 0) expect(byName(a, c)).toBeLessThanOrEqual(0)
    }),
  )
})
