import { randomUUID } from 'node:crypto'
import type { User } from '../../src/domain/user.js'
import type { UserRepository } from '../../src/repositories/user.repository.js'

/** Creates a user as target of foreign keys. The user has no password and cannot log in. */
export function seedUser({ users }: { users: UserRepository }): Promise<User> {
  const createdAt = new Date()
  return users.create({
    name: 'Ada',
    email: `${randomUUID()}@example.com`,
    passwordHash: '',
    createdAt,
    updatedAt: createdAt,
  })
}
