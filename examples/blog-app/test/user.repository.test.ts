import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newUser } from '../src/domain/user.js'
import type { UserRepository } from '../src/repositories/user.repository.js'
import { testStores } from './support/stores.js'

describe.each(testStores)('users in $name', (store) => {
  let users: UserRepository
  let close: () => Promise<void>
  let count = 0

  const createdAt = new Date('2020-01-01T00:00:00.001Z')
  const anyUser = () =>
    newUser({ name: 'Ada', email: `ada-${++count}@example.com`, passwordHash: 'a hash' }, createdAt)

  beforeAll(async () => {
    const opened = await store.open()
    users = opened.repositories.users
    close = opened.close
  })
  afterAll(() => close())

  test('finds a created user by id and by e-mail address', async () => {
    const user = anyUser()
    const created = await users.create(user)
    expect(created).toEqual({ ...user, id: created.id })
    expect(await users.find(created.id)).toEqual(created)
    expect(await users.findByEmail(user.email)).toEqual(created)
  })

  test('returns undefined for an unknown user', async () => {
    expect(await users.find(2 ** 31 - 1)).toBeUndefined()
    expect(await users.findByEmail('nobody@example.com')).toBeUndefined()
  })

  test('updates a user only if no other request changed the tokens', async () => {
    const user = await users.create(anyUser())
    const changes = {
      role: 'admin',
      tokenVersion: 1,
      keptToken: 'a',
      updatedAt: createdAt,
    } as const
    expect(await users.updateIfUnchanged(user, changes)).toBe(true)
    const changed = await users.find(user.id)
    expect(changed).toEqual({ ...user, ...changes })
    expect(await users.updateIfUnchanged(user, changes)).toBe(false)
    const ends = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        users.updateIfUnchanged(
          { ...user, ...changes },
          { revokedTokens: `t${n}:1`, updatedAt: createdAt },
        ),
      ),
    )
    expect(ends.filter(Boolean)).toHaveLength(1)
  })

  test('removes a user once, and never uses the id again', async () => {
    const user = await users.create(anyUser())
    expect(await users.remove(user.id)).toBe(true)
    expect(await users.remove(user.id)).toBe(false)
    expect(await users.find(user.id)).toBeUndefined()
    expect(await users.updateIfUnchanged(user, { updatedAt: createdAt })).toBe(false)
    expect((await users.create(anyUser())).id).toBeGreaterThan(user.id)
  })

  test('keeps e-mail addresses unique under concurrent writes', async () => {
    const user = anyUser()
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => users.create(user)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(users.create(user)).rejects.toMatchObject({ kind: 'conflict' })
  })
})
