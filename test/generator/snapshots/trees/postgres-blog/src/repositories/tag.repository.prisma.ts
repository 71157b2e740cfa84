import type { Tag } from '../domain/tag.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'
import type { TagRepository } from './tag.repository.js'

/** Columns with a unique constraint. */
const unique = ['slug']

export function createTagRepository({ prisma }: Store): TagRepository {
  const table = prisma.tag

  /** Runs a write in a transaction that first locks the record, so that no other write comes after the check. */
  async function checked<T>(
    id: number,
    check: Check<Tag>,
    write: (table: Prisma.TagDelegate) => PromiseLike<T>,
    turn = 1,
  ): Promise<T> {
    const version = await table.findUnique({ where: { id }, select: { updatedAt: true } })
    if (!version) return write(table)
    const result = await prisma.$transaction(async ({ tag: locked }) => {
      // A write of the same time locks the row, unless another write came first. SQL scripts can store a time that
      // equals no Date: later turns do not compare it.
      const where = turn < 10 ? { id, ...version } : { id }
      const { count } = await locked.updateMany({ where, data: version })
      if (count === 0) return undefined
      const row = await locked.findUnique({ where: { id } })
      if (row) check(row)
      return { written: await write(locked) }
    })
    return result ? result.written : checked(id, check, write, turn + 1)
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
      const row = await run(table.create({ data }), unique)
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.TagDelegate) => table.update({ where: { id }, data })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table), unique)
      return row
    },

    async remove(id, check) {
      const removal = (table: Prisma.TagDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}
