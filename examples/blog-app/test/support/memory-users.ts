import { AppError } from '../../src/domain/app-error.js'
import type { User } from '../../src/domain/user.js'
import type { UserRepository } from '../../src/repositories/user.repository.js'
import { removeEntry } from './memory-remove.js'
import type { Entry, MemoryTables } from './memory-tables.js'

/** Creates a user repository in memory and adds its table to `tables`, for foreign keys to users. */
export function createMemoryUsers(tables: MemoryTables): UserRepository {
  const users = new Map<number, User & Entry>()
  tables.set('users', { rows: users, references: [], many: [], read: (user) => user })
  let lastId = 0
  return {
    find: async (id) => users.get(id),
    findByEmail: async (email) => [...users.values()].find((user) => user.email === email),
    async create(fields) {
      const isTaken = [...users.values()].some(({ email }) => email === fields.email)
      if (isTaken) throw new AppError('conflict', 'email is already taken')
      lastId += 1
      const user = { ...fields, id: lastId }
      users.set(user.id, user)
      return user
    },
    async updateIfUnchanged({ id, tokenVersion, revokedTokens }, changes) {
      const user = users.get(id)
      if (user?.tokenVersion !== tokenVersion || user.revokedTokens !== revokedTokens) return false
      users.set(id, { ...user, ...changes })
      return true
    },
    remove: async (id) => removeEntry(tables, 'users', id),
  }
}
