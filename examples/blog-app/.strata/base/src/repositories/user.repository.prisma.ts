import type { User } from '../domain/user.js'
import type { User as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import { run } from './prisma.js'
import type { UserRepository } from './user.repository.js'

/** Columns with a unique constraint. */
const unique = ['email']

export function createUserRepository({ prisma }: Store): UserRepository {
  const table = prisma.user
  return {
    async find(id) {
      const row = await run(table.findUnique({ where: { id } }))
      return row ? toDomain(row) : undefined
    },

    async findByEmail(email) {
      const row = await run(table.findUnique({ where: { email } }))
      return row ? toDomain(row) : undefined
    },

    async create(data) {
      return toDomain(await run(table.create({ data }), unique))
    },

    async updateIfUnchanged({ id, tokenVersion, revokedTokens }, data) {
      const where = { id, tokenVersion, revokedTokens }
      const { count } = await run(table.updateMany({ where, data }))
      return count > 0
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
      return count > 0
    },
  }
}

function toDomain(row: Row): User {
  return { ...row, role: row.role as User['role'] }
}
