import { expect, test } from 'vitest'
import { createMemoryRepositories } from '../../test/support/memory.js'
import { seedUser } from '../../test/support/seed-user.js'
import { makeAdmin } from './make-admin.js'

const now = new Date('2030-01-01T00:00:00.000Z')

test('makeAdmin changes the role of the user with the e-mail address, in any letter case', async () => {
  const repositories = createMemoryRepositories()
  const [user, other] = [await seedUser(repositories), await seedUser(repositories)]
  expect(await makeAdmin(repositories.users, user.email.toUpperCase(), now)).toBe(true)
  expect(await repositories.users.find(user.id)).toEqual({ ...user, role: 'admin', updatedAt: now })
  expect(await repositories.users.find(other.id)).toEqual(other)
})

test('makeAdmin returns false for an unknown e-mail address', async () => {
  const { users } = createMemoryRepositories()
  expect(await makeAdmin(users, 'nobody@example.com', now)).toBe(false)
})
