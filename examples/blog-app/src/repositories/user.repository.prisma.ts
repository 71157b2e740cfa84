import type { Store } from '../infra/store.js'
import { run } from './prisma.js'
import type { UserRepository } from './user.repository.js'

/** Columns with a unique constraint. */
const unique = ['email']

export function createUserRepository({ prisma }: Store): UserRepository {
  const table = prisma.user
  return {
    async find(id) {
      return (await run(table.findUnique({ where: { id } }))) ?? undefined
    },

    async findByEmail(email) {
      return (await run(table.findUnique({ where: { email } }))) ?? undefined
    },

    async create(data) {
      return run(table.create({ data }), unique)
    },
  }
}
