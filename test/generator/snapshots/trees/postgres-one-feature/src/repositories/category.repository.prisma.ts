import type { Category, CategoryFilter } from '../domain/category.js'
import type { Prisma, Category as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { CategoryRepository } from './category.repository.js'
import { fromDay, listingOf, pageOf, run, runOnExisting, toDay, toDays } from './prisma.js'
import type { Check } from './repository.js'

/** Columns with a unique constraint. */
const unique = ['name']

export function createCategoryRepository({ prisma }: Store): CategoryRepository {
  const table = prisma.category

  /** Runs a write in a transaction that first locks the record, so that no other write comes after the check. */
  function checked<T>(
    id: number,
    check: Check<Category>,
    write: (table: Prisma.CategoryDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async (transaction) => {
      await transaction.$executeRaw`UPDATE "categories" SET updated_at = updated_at WHERE id = ${id}`
      const row = await transaction.category.findUnique({ where: { id } })
      if (row) check(toDomain(row))
      return write(transaction.category)
    })
  }

  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([table.findMany({ ...pageOf(query, where) }), table.count({ where })]),
      )
      return listingOf(query, rows.map(toDomain), total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id } }))
      return row ? toDomain(row) : undefined
    },

    async create(data) {
      const row = await run(table.create({ data: { ...data, opens: toDay(data.opens) } }), unique)
      return toDomain(row)
    },

    async update(id, data, check) {
      const change = (table: Prisma.CategoryDelegate) =>
        table.update({ where: { id }, data: { ...data, opens: toDay(data.opens) } })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table), unique)
      return row && toDomain(row)
    },

    async remove(id, check) {
      const removal = (table: Prisma.CategoryDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: CategoryFilter): Prisma.CategoryWhereInput {
  return {
    position: filter.position,
    price: filter.price,
    opens: toDays(filter.opens),
  }
}

function toDomain(row: Row): Category {
  return { ...row, opens: fromDay(row.opens), price: row.price?.toFixed(4) ?? null }
}
