import fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { isGlobMatch } from './glob.ts'

test.each([
  ['feature/*', 'feature/a', true],
  ['feature/*', 'feature/a/b', false],
  ['feature/*', 'feature/', true],
  ['feature/**', 'feature/a/b', true],
  ['feature/**', 'feature', false],
  ['*', '.hidden', true],
  ['*', 'a/b', false],
  ['**', 'a/b', true],
  ['**/b', 'a/x/b', true],
  ['v?', 'v1', true],
  ['v?', 'v12', false],
  ['v[0-9].*', 'v1.2', true],
  ['v[!0-9]', 'v1', false],
  ['{main,next}', 'next', true],
  ['release/{1,2}.{0,1}', 'release/2.1', true],
  ['release/{1,2}.{0,1}', 'release/3.1', false],
  ['a{b', 'a{b', true],
  ['!main', 'other', false],
  ['+(a)', 'aa', false],
  ['a.b', 'axb', false],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['日*', '日本', true],
  ['', '', true],
])('isGlobMatch(%j, %j) is %s', (glob, text, matches) => {
  expect(isGlobMatch(glob, text)).toBe(matches)
})

test('globs that cause catastrophic backtracking in regular expressions match fast', () => {
  expect(isGlobMatch(`${'*a'.repeat(120)}b`, 'a'.repeat(255))).toBe(false)
  expect(isGlobMatch('{a,b}'.repeat(40), 'a'.repeat(40))).toBe(false)
})

test('isGlobMatch agrees with picomatch on the common syntax', () => {
  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '?'), maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(glob, text, (pattern, branch) => {
      // Exclude globs on which the matchers differ: adjacent stars, stars beside a slash, leading or trailing slashes.
      fc.pre(!/\*\*|\*\?|\?\*|^\*|\/\*$|\/\*\/|\/\/|^\/|\/$/.test(pattern) && pattern !== '')
      fc.pre(!/\/\/|^\/|\/$/.test(branch))
      expect(isGlobMatch(pattern, branch)).toBe(picomatch.isMatch(branch, pattern, { dot: true }))
    }),
  )
})
