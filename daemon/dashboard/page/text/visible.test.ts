import { expect, test } from 'vitest'
import { visible } from './visible.ts'

test('shows control characters and direction marks as symbols', () => {
  expect(visible('a\u001b[31mb\u0000')).toBe('a␛[31mb␀')
  expect(visible('main\u202egnp.exe')).toBe('main\ufffdgnp.exe')
  expect(visible('\u2066x\u2069\u200f\u0085')).toBe('\ufffdx\ufffd\ufffd\ufffd')
})

test('keeps letters of any script, emoji and their joiners', () => {
  const text = 'עברית عربي 日本 👩‍👧 Größe'
  expect(visible(text)).toBe(text)
})
