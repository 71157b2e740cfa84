import { expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

test.each([
  ['itn', ['string', 'int', 'uint'], 'int'],
  ['Pots', ['Tag', 'Post'], 'Post'],
  ['post', ['Tag', 'Post'], 'Post'],
  ['serach', ['fields', 'search'], 'search'],
  ['xyzzy', ['fields', 'search'], undefined],
  ['a', [], undefined],
])('the word nearest to %s among %j is %s', (word, words, expected) => {
  expect(nearest(word, words)).toBe(expected)
})

test('a message proposes the nearest word, or nothing', () => {
  expect(didYouMean('protcet', ['protect'])).toBe(' did you mean protect?')
  expect(didYouMean('xyzzy', ['protect'])).toBe('')
})
