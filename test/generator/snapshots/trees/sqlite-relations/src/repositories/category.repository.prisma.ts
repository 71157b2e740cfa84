import type { CategoryFilter } from '../domain/category.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { CategoryRepository } from './category.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: { parent: { select: { id: true, name: true } } },
} satisfies Prisma.CategoryDefaultArgs

export function createCategoryRepository({ prisma }: Store): CategoryRepository {
  const table = prisma.category

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { parentId?: number | null }) {
    await assertFound('category', data.parentId, (where) => prisma.category.count({ where }))
  }

  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([
          table.findMany({ ...pageOf(query, where, { nullable: ['parentId'] }), ...recordArgs }),
          table.count({ where }),
        ]),
      )
      return listingOf(query, rows, total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id }, ...recordArgs }))
      return row ?? undefined
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))
      return row
    },

    async update(id, data) {
      const row = await runOnExisting(
        table.update({ where: { id }, data, ...recordArgs }),
        [],
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
      return count > 0
    },
  }
}

function matching(filter: CategoryFilter): Prisma.CategoryWhereInput {
  return {
    parentId: filter.parentId,
  }
}
