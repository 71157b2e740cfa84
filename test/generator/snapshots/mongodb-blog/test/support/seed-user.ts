import { randomUUID } from 'node:crypto'
import type { User } from '../../src/domain/user.js'
import type { UserRepository } from '../../src/repositories/user.repository.js'

/** A new user, for records that refer to one. Has no password, so nobody logs in as it. */
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
