import type { User, UserFilter } from '../domain/user.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'
import type { UserRepository } from './user.repository.js'

export function createUserRepository({ prisma }: Store): UserRepository {
  const table = prisma.user

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<User>,
    write: (table: Prisma.UserDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ user: locked }) => {
      const row = await locked.findUnique({ where: { id } })
      if (row) check(row)
      return write(locked)
    })
  }

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

    async update(id, data, check) {
      const change = (table: Prisma.UserDelegate) => table.update({ where: { id }, data })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table))
      return row
    },

    async remove(id, check) {
      const removal = (table: Prisma.UserDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: UserFilter): Prisma.UserWhereInput {
  return {
    age: filter.age,
  }
}
