import { AppError } from '../../src/domain/app-error.js'
import type { User } from '../../src/domain/user.js'
import type { UserRepository } from '../../src/repositories/user.repository.js'
import type { Entry, MemoryTables } from './memory-tables.js'

/** Creates a user repository in memory and adds its table to `tables`, for foreign keys to users. */
export function createMemoryUsers(tables: MemoryTables): UserRepository {
  const users = new Map<number, User & Entry>()
  tables.set('users', { rows: users, references: [], many: [], read: (user) => user })
  return {
    find: async (id) => users.get(id),
    findByEmail: async (email) => [...users.values()].find((user) => user.email === email),
    async create(fields) {
      const isTaken = [...users.values()].some(({ email }) => email === fields.email)
      if (isTaken) throw new AppError('conflict', 'email is already taken')
      const user = { ...fields, id: users.size + 1 }
      users.set(user.id, user)
      return user
    },
  }
}
