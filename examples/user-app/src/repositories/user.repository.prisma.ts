import type { UserFilter } from '../domain/user.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { UserRepository } from './user.repository.js'

export function createUserRepository({ prisma }: Store): UserRepository {
  const table = prisma.user
  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([table.findMany({ ...pageOf(query, where) }), table.count({ where })]),
      )
      return listingOf(query, rows, total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id } }))
      return row ?? undefined
    },

    async create(data) {
      const row = await run(table.create({ data }))
      return row
    },

    async update(id, data) {
      const row = await runOnExisting(table.update({ where: { id }, data }))
      return row
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
      return count > 0
    },
  }
}

function matching(filter: UserFilter): Prisma.UserWhereInput {
  return {
    age: filter.age,
  }
}
