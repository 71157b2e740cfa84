import { expect, test } from 'vitest'
import { createPasswords } from './passwords.js'

const passwords = createPasswords(4)

test('hash uses a new salt each time and does not contain the password', async () => {
  const [one, other] = await Promise.all([
    passwords.hash('a password'),
    passwords.hash('a password'),
  ])
  expect(one).not.toBe(other)
  expect(one).not.toContain('a password')
})

test('matches accepts only the exact password', async () => {
  const hash = await passwords.hash('a password')
  expect(await passwords.matches('a password', hash)).toBe(true)
  expect(await passwords.matches('a Password', hash)).toBe(false)
})

test('matches returns false without a hash', async () => {
  expect(await passwords.matches('a password', undefined)).toBe(false)
})
