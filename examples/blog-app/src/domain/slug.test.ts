import { expect, test } from 'vitest'
import { slugOf } from './slug.js'

test.each([
  ['News', 'news'],
  ['Node.js & Express!', 'node-js-express'],
  ['UPPER_case', 'upper-case'],
  ['Ärger 2', 'ärger-2'],
  ['A\u0308rger', 'ärger'],
  ['हिन्दी', 'हिन्दी'],
  ['Tiếng Việt', 'tiếng-việt'],
])('the slug of %s is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test.each([
  ['İ'.repeat(255), 'i\u0307'.repeat(127) + 'i'],
  [`${'a'.repeat(254)} b`, 'a'.repeat(254)],
  [`${'a'.repeat(254)}𝒷`, 'a'.repeat(254)],
])('a slug has at most 255 characters, none of them broken', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test.each(['!?', '\u0301'])('slugOf rejects %j, which has no letters and digits', (name) => {
  expect(() => slugOf(name)).toThrow('validation failed')
})
