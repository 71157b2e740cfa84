import type { OrderLine, OrderLineDetails, OrderLineFilter } from '../domain/order-line.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { OrderLineRepository } from './order-line.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import { type Check, maxParts } from './repository.js'

/** Columns with a unique constraint. */
const unique = ['order_id + count']

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: { order: { select: { id: true, note: true } } },
} satisfies Prisma.OrderLineDefaultArgs

/** Arguments of a query for a single record, which also includes its parts. */
const detailsArgs = {
  ...recordArgs,
  include: {
    ...recordArgs.include,
    parcels: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: maxParts },
  },
} satisfies Prisma.OrderLineDefaultArgs

export function createOrderLineRepository({ prisma }: Store): OrderLineRepository {
  const table = prisma.orderLine

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { orderId?: number }) {
    await assertFound('order', data.orderId, (where) => prisma.order.count({ where }))
  }

  /** Adds the parts to a record. Counts the parts only if there can be more than the newest ones. */
  async function toDetails(
    row: Prisma.OrderLineGetPayload<typeof detailsArgs>,
  ): Promise<OrderLineDetails> {
    return {
      ...row,
      parcels: row.parcels.toReversed(),
      parcelsTotal:
        row.parcels.length < maxParts
          ? row.parcels.length
          : await run(prisma.parcel.count({ where: { orderLineId: row.id } })),
    }
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<OrderLine>,
    write: (table: Prisma.OrderLineDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ orderLine: locked }) => {
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
      const row = await run(
        table.findUnique({ where: { id }, select: { order: { select: { customerId: true } } } }),
      )
      return row?.order.customerId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), unique, () =>
        assertReferences(data),
      )
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.OrderLineDelegate) =>
        table.update({ where: { id }, data, ...recordArgs })
      const row = await runOnExisting(
        check ? checked(id, check, change) : change(table),
        unique,
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row
    },

    async remove(id, check) {
      const removal = (table: Prisma.OrderLineDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: OrderLineFilter): Prisma.OrderLineWhereInput {
  return {
    orderId: filter.orderId,
    count: filter.count,
    AND: filter.visibleTo === undefined ? undefined : [{ order: { customerId: filter.visibleTo } }],
  }
}
