import type { Order, OrderDetails, OrderFilter } from '../domain/order.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { OrderRepository } from './order.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import { type Check, maxParts } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: {
    customer: { select: { id: true, name: true } },
    country: { select: { id: true, name: true } },
  },
} satisfies Prisma.OrderDefaultArgs

/** Arguments of a query for a single record, which also includes its parts. */
const detailsArgs = {
  ...recordArgs,
  include: {
    ...recordArgs.include,
    orderLines: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: maxParts },
    memos: {
      include: { author: { select: { id: true, name: true } } },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: maxParts,
    },
  },
} satisfies Prisma.OrderDefaultArgs

export function createOrderRepository({ prisma }: Store): OrderRepository {
  const table = prisma.order

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { customerId?: number; countryId?: number }) {
    await assertFound('user', data.customerId, (where) => prisma.user.count({ where }))
    await assertFound('country', data.countryId, (where) => prisma.country.count({ where }))
  }

  /** Adds the parts to a record. Counts the parts only if there can be more than the newest ones. */
  async function toDetails(row: Prisma.OrderGetPayload<typeof detailsArgs>): Promise<OrderDetails> {
    return {
      ...row,
      orderLines: row.orderLines.toReversed(),
      memos: row.memos.toReversed(),
      orderLinesTotal:
        row.orderLines.length < maxParts
          ? row.orderLines.length
          : await run(prisma.orderLine.count({ where: { orderId: row.id } })),
      memosTotal:
        row.memos.length < maxParts
          ? row.memos.length
          : await run(prisma.memo.count({ where: { orderId: row.id } })),
    }
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Order>,
    write: (table: Prisma.OrderDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ order: locked }) => {
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
      const row = await run(table.findUnique({ where: { id }, ...detailsArgs }))
      return row ? toDetails(row) : undefined
    },

    async owner(id) {
      const row = await run(table.findUnique({ where: { id }, select: { customerId: true } }))
      return row?.customerId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.OrderDelegate) =>
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
      const removal = (table: Prisma.OrderDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: OrderFilter): Prisma.OrderWhereInput {
  return {
    customerId: filter.customerId,
    countryId: filter.countryId,
    AND: filter.visibleTo === undefined ? undefined : [{ customerId: filter.visibleTo }],
  }
}
