import { expect, test } from 'vitest'
import { maskToken } from './mask.ts'

test('a token is shown by its first four characters', () => {
  expect(maskToken('0123456789abcdef0123')).toBe('0123…')
})

test('nothing is shown of a short one', () => {
  expect(maskToken('secret')).toBe('****')
  expect(maskToken('fifteen-letters')).toBe('****')
})
