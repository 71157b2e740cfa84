import { expect, test } from 'vitest'
import { maskToken } from './mask-token.ts'

test('a masked token shows its first four characters', () => {
  expect(maskToken('0123456789abcdef0123')).toBe('0123…')
})

test('a masked short token shows no characters', () => {
  expect(maskToken('secret')).toBe('****')
  expect(maskToken('fifteen-letters')).toBe('****')
})
