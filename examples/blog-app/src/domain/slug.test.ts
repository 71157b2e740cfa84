import { expect, test } from 'vitest'
import { slugOf } from './slug.js'

test.each([
  ['News', 'news'],
  ['Node.js & Express!', 'node-js-express'],
  ['UPPER_case', 'upper-case'],
  ['Ärger 2', 'ärger-2'],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('slugOf rejects a name without letters and digits', () => {
  expect(() => slugOf('!?')).toThrow('validation failed')
})
