import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { newUser } from '../domain/user.js'
import { createPasswords } from '../infra/passwords.js'
import { createTokens } from '../infra/tokens.js'
import { createAuthService } from './auth.service.js'

const now = new Date('2030-01-01T00:00:00.000Z')
const ada = { name: 'Ada', email: 'Ada@Example.com', password: 'a long password' }
const refused = { kind: 'unauthenticated', message: 'invalid credentials' }

function setUp() {
  const { users } = createMemoryRepositories()
  const tokens = createTokens(createSecretKey(randomBytes(32)), () => now)
  const passwords = createPasswords(4)
  return {
    users,
    passwords,
    service: createAuthService({ users, passwords, tokens, now: () => now }),
  }
}

const ended = { kind: 'unauthenticated', message: 'Invalid token' }

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

test('login compares passwords in NFKC, also with a hash of a password as it was typed', async () => {
  const { users, passwords, service } = setUp()
  const [composed, decomposed] = ['\u00fcber secret', 'u\u0308ber secret']
  await service.register({ ...ada, password: decomposed })
  await expect(service.login({ ...ada, password: composed })).resolves.toBeDefined()
  const passwordHash = await passwords.hash(decomposed)
  await users.create(newUser({ name: 'Bob', email: 'bob@example.com', passwordHash }, now))
  const bob = { email: 'bob@example.com', password: decomposed }
  await expect(service.login(bob)).resolves.toBeDefined()
  await expect(service.login({ ...bob, password: composed })).rejects.toMatchObject(refused)
})

test('logout ends only its own token, also if two tokens end at once', async () => {
  const { service } = setUp()
  const { token } = await service.register(ada)
  const others = [await service.login(ada), await service.login(ada)]
  await Promise.all(others.map((session) => service.logout(session.token)))
  for (const other of others)
    await expect(service.authenticate(other.token)).rejects.toMatchObject(ended)
  await expect(service.authenticate(token)).resolves.toBeDefined()
})

test('the 501st logout within a day ends all tokens', async () => {
  const { service } = setUp()
  const { token } = await service.register(ada)
  for (let i = 0; i < 500; i += 1) await service.logout((await service.login(ada)).token)
  await expect(service.authenticate(token)).resolves.toBeDefined()
  await service.logout((await service.login(ada)).token)
  await expect(service.authenticate(token)).rejects.toMatchObject(ended)
})

test('logoutAll ends every token', async () => {
  const { service } = setUp()
  const sessions = [await service.register(ada), await service.login(ada)]
  await service.logoutAll(sessions[0]?.token ?? '')
  for (const { token } of sessions)
    await expect(service.authenticate(token)).rejects.toMatchObject(ended)
})

test('changePassword ends all tokens but its own', async () => {
  const { service } = setUp()
  const [own, other] = [await service.register(ada), await service.login(ada)]
  const wrong = { current: 'another one', next: 'a new password' }
  await expect(service.changePassword(own.token, wrong)).rejects.toMatchObject(refused)
  const change = { current: ada.password, next: 'a new password' }
  const { token } = await service.changePassword(own.token, change)
  await expect(service.authenticate(own.token)).resolves.toBeDefined()
  await expect(service.authenticate(token)).resolves.toBeDefined()
  await expect(service.authenticate(other.token)).rejects.toMatchObject(ended)
  await expect(service.login(ada)).rejects.toMatchObject(refused)
  await expect(service.login({ ...ada, password: 'a new password' })).resolves.toBeDefined()
})

test('a token does not survive its user, also if the e-mail address registers again', async () => {
  const { service } = setUp()
  const { token } = await service.register(ada)
  await expect(service.remove(token, 'another one')).rejects.toMatchObject(refused)
  await service.remove(token, ada.password)
  await service.register(ada)
  await expect(service.authenticate(token)).rejects.toMatchObject(ended)
})
