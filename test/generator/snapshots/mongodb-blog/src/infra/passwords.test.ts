import { expect, test } from 'vitest'
import { createPasswords } from './passwords.js'

const passwords = createPasswords(4)

test('a hash has a salt of its own and nothing of the password', async () => {
  const [one, other] = await Promise.all([
    passwords.hash('a password'),
    passwords.hash('a password'),
  ])
  expect(one).not.toBe(other)
  expect(one).not.toContain('a password')
})

test('only the password itself matches', async () => {
  const hash = await passwords.hash('a password')
  expect(await passwords.matches('a password', hash)).toBe(true)
  expect(await passwords.matches('a Password', hash)).toBe(false)
})

test('nothing matches where there is no hash', async () => {
  expect(await passwords.matches('a password', undefined)).toBe(false)
})
