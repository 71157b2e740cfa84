import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { createPasswords } from '../infra/passwords.js'
import { createTokens } from '../infra/tokens.js'
import { createAuthService } from './auth.service.js'

const now = new Date('2030-01-01T00:00:00.000Z')
const ada = { name: 'Ada', email: 'Ada@Example.com', password: 'a long password' }
const refused = { kind: 'unauthenticated', message: 'invalid credentials' }

function setUp() {
  const { users } = createMemoryRepositories()
  const tokens = createTokens(createSecretKey(randomBytes(32)))
  const passwords = createPasswords(4)
  return { users, service: createAuthService({ users, passwords, tokens, now: () => now }) }
}

test('register returns a token for the new user', async () => {
  const { service } = setUp()
  const { token, user } = await service.register(ada)
  expect(user).toMatchObject({ name: 'Ada', email: 'ada@example.com', createdAt: now })
  expect(await service.authenticate(token)).toEqual({
    id: user.id,
    email: 'ada@example.com',
    role: 'user',
  })
})

test('register does not store the password itself', async () => {
  const { users, service } = setUp()
  const { user } = await service.register(ada)
  expect(JSON.stringify(await users.find(user.id))).not.toContain(ada.password)
})

test('register rejects a used e-mail address in any letter case', async () => {
  const { service } = setUp()
  await service.register(ada)
  await expect(service.register({ ...ada, email: 'aDA@eXAMPLE.com' })).rejects.toMatchObject({
    kind: 'conflict',
    message: 'email already registered',
  })
})

test('login accepts the e-mail address in any letter case', async () => {
  const { service } = setUp()
  const { user } = await service.register(ada)
  const session = await service.login({ ...ada, email: 'ADA@example.com' })
  expect(session.user).toEqual(user)
  expect((await service.authenticate(session.token)).id).toBe(user.id)
})

test('login gives the same error for an unknown e-mail address and a wrong password', async () => {
  const { service } = setUp()
  await service.register(ada)
  await expect(service.login({ ...ada, email: 'bob@example.com' })).rejects.toMatchObject(refused)
  await expect(service.login({ ...ada, password: 'another one' })).rejects.toMatchObject(refused)
})

test('login rejects a password with extra characters beyond 72 bytes', async () => {
  const { service } = setUp()
  const password = 'ü'.repeat(36)
  await service.register({ ...ada, password })
  await expect(service.login({ ...ada, password })).resolves.toBeDefined()
  await expect(service.login({ ...ada, password: `${password}!` })).rejects.toMatchObject(refused)
})
