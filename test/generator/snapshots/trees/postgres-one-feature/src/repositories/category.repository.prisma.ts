import type { Category, CategoryFilter } from '../domain/category.js'
import type { Prisma, Category as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { CategoryRepository } from './category.repository.js'
import { fromDay, listingOf, pageOf, run, runOnExisting, toDay, toDays } from './prisma.js'

/** Columns with a unique constraint. */
const unique = ['name']

export function createCategoryRepository({ prisma }: Store): CategoryRepository {
  const table = prisma.category
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

    async update(id, data) {
      const row = await runOnExisting(
        table.update({ where: { id }, data: { ...data, opens: toDay(data.opens) } }),
        unique,
      )
      return row && toDomain(row)
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
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
