import type { Country } from '../domain/country.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { CountryRepository } from './country.repository.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'

export function createCountryRepository({ prisma }: Store): CountryRepository {
  const table = prisma.country

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Country>,
    write: (table: Prisma.CountryDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ country: locked }) => {
      const row = await locked.findUnique({ where: { id } })
      if (row) check(row)
      return write(locked)
    })
  }

  return {
    async list(page) {
      const [rows, total] = await run(
        Promise.all([table.findMany({ ...pageOf(page, {}) }), table.count()]),
      )
      return listingOf(page, rows, total)
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
      const change = (table: Prisma.CountryDelegate) => table.update({ where: { id }, data })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table))
      return row
    },

    async remove(id, check) {
      const removal = (table: Prisma.CountryDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}
