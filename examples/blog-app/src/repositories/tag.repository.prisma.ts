import type { Store } from '../infra/store.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { TagRepository } from './tag.repository.js'

/** Columns with a unique constraint. */
const unique = ['slug']

export function createTagRepository({ prisma }: Store): TagRepository {
  const table = prisma.tag
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
      const row = await run(table.create({ data }), unique)
      return row
    },

    async update(id, data) {
      const row = await runOnExisting(table.update({ where: { id }, data }), unique)
      return row
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
      return count > 0
    },
  }
}
