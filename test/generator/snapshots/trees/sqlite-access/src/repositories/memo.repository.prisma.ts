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

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Memo>,
    write: (table: Prisma.MemoDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ memo: locked }) => {
      const row = await locked.findUnique({ where: { id }, ...recordArgs })
      if (row) check(row)
      return write(locked)
    })
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
