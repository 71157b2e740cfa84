import { randomUUID } from 'node:crypto'
import { newUser, type Role, type User } from '../../src/domain/user.js'
import type { UserRepository } from '../../src/repositories/user.repository.js'

/** Creates a user as target of foreign keys. The user has no password and cannot log in. */
export function seedUser({ users }: { users: UserRepository }, role: Role = 'user'): Promise<User> {
  const email = `${randomUUID()}@example.com`
  return users.create({ ...newUser({ name: 'Ada', email, passwordHash: '' }, new Date()), role })
}
