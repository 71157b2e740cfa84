import type { Memo, MemoFilter } from '../domain/memo.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { MemoRepository } from './memo.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: {
    order: { select: { id: true, note: true } },
    author: { select: { id: true, name: true } },
  },
} satisfies Prisma.MemoDefaultArgs

export function createMemoRepository({ prisma }: Store): MemoRepository {
  const table = prisma.memo

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { orderId?: number; authorId?: number }) {
    await assertFound('order', data.orderId, (where) => prisma.order.count({ where }))
    await assertFound('user', data.authorId, (where) => prisma.user.count({ where }))
  }

  /** Runs a write in a transaction that first locks the record, so that no other write comes after the check. */
  async function checked<T>(
    id: number,
    check: Check<Memo>,
    write: (table: Prisma.MemoDelegate) => PromiseLike<T>,
    turn = 1,
  ): Promise<T> {
    const version = await table.findUnique({ where: { id }, select: { updatedAt: true } })
    if (!version) return write(table)
    const result = await prisma.$transaction(async ({ memo: locked }) => {
      // A write of the same time locks the row, unless another write came first. SQL scripts can store a time that
      // equals no Date: later turns do not compare it.
      const where = turn < 10 ? { id, ...version } : { id }
      const { count } = await locked.updateMany({ where, data: version })
      if (count === 0) return undefined
      const row = await locked.findUnique({ where: { id }, ...recordArgs })
      if (row) check(row)
      return { written: await write(locked) }
    })
    return result ? result.written : checked(id, check, write, turn + 1)
  }

  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([
          table.findMany({ ...pageOf(query, where), ...recordArgs }),
          table.count({ where }),
        ]),
      )
      return listingOf(query, rows, total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id }, ...recordArgs }))
      return row ?? undefined
    },

    async owner(id) {
      const row = await run(table.findUnique({ where: { id }, select: { authorId: true } }))
      return row?.authorId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.MemoDelegate) =>
        table.update({ where: { id }, data, ...recordArgs })
      const row = await runOnExisting(
        check ? checked(id, check, change) : change(table),
        [],
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row
    },

    async remove(id, check) {
      const removal = (table: Prisma.MemoDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: MemoFilter): Prisma.MemoWhereInput {
  return {
    orderId: filter.orderId,
    authorId: filter.authorId,
    AND: filter.visibleTo === undefined ? undefined : [{ order: { customerId: filter.visibleTo } }],
  }
}
