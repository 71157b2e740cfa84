import { expect, test } from 'vitest'
import { toSearchText } from './search-text.js'

test('toSearchText makes every character a word, and white space a word with its code point', () => {
  expect(toSearchText('ab')).toBe('a b')
  expect(toSearchText('a b\n😀')).toBe('a u32 b u10 😀')
  expect(toSearchText('u32')).toBe('u 3 2')
})

test('toSearchText makes control characters words, because the server splits words there', () => {
  expect(toSearchText('a\u001cb')).toBe('a u28 b')
})
