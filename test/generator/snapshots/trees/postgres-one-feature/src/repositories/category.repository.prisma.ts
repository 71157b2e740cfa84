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
  async function checked<T>(
    id: number,
    check: Check<Category>,
    write: (table: Prisma.CategoryDelegate) => PromiseLike<T>,
    turn = 1,
  ): Promise<T> {
    const version = await table.findUnique({ where: { id }, select: { updatedAt: true } })
    if (!version) return write(table)
    const result = await prisma.$transaction(async ({ category: locked }) => {
      // A write of the same time locks the row, unless another write came first. SQL scripts can store a time that
      // equals no Date: later turns do not compare it.
      const where = turn < 10 ? { id, ...version } : { id }
      const { count } = await locked.updateMany({ where, data: version })
      if (count === 0) return undefined
      const row = await locked.findUnique({ where: { id } })
      if (row) check(toDomain(row))
      return { written: await write(locked) }
    })
    return result ? result.written : checked(id, check, write, turn + 1)
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
