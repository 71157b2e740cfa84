import { expect, test } from 'vitest'
import { slugOf } from './slug.js'

test.each([
  ['News', 'news'],
  ['Node.js & Express!', 'node-js-express'],
  ['UPPER_case', 'upper-case'],
  ['Ärger 2', 'ärger-2'],
])('%s is called %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('a name of signs alone has no slug', () => {
  expect(() => slugOf('!?')).toThrow('validation failed')
})
