import type { Store } from '../infra/store.js'
import { newestFirst, run, runOnExisting, skipTake } from './prisma.js'
import type { UserRepository } from './user.repository.js'

export function createUserRepository({ prisma }: Store): UserRepository {
  const table = prisma.user
  return {
    async list(page) {
      const [rows, total] = await run(
        Promise.all([table.findMany({ orderBy: newestFirst, ...skipTake(page) }), table.count()]),
      )
      return { rows, total }
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
