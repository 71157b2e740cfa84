import type { OrderLine, OrderLineFilter } from '../domain/order-line.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { OrderLineRepository } from './order-line.repository.js'
import {
  assertFound,
  fromDay,
  listingOf,
  pageOf,
  run,
  runOnExisting,
  toDay,
  toDays,
} from './prisma.js'
import type { Check } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: { product: { select: { id: true, name: true } } },
} satisfies Prisma.OrderLineDefaultArgs

export function createOrderLineRepository({ prisma }: Store): OrderLineRepository {
  const table = prisma.orderLine

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { productId?: number }) {
    await assertFound('product', data.productId, (where) => prisma.product.count({ where }))
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<OrderLine>,
    write: (table: Prisma.OrderLineDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ orderLine: locked }) => {
      const row = await locked.findUnique({ where: { id }, ...recordArgs })
      if (row) check(toDomain(row))
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
      return listingOf(query, rows.map(toDomain), total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id }, ...recordArgs }))
      return row ? toDomain(row) : undefined
    },

    async create(data) {
      const row = await run(
        table.create({ data: { ...data, day: toDay(data.day) }, ...recordArgs }),
        [],
        () => assertReferences(data),
      )
      return toDomain(row)
    },

    async update(id, data, check) {
      const change = (table: Prisma.OrderLineDelegate) =>
        table.update({ where: { id }, data: { ...data, day: toDay(data.day) }, ...recordArgs })
      const row = await runOnExisting(
        check ? checked(id, check, change) : change(table),
        [],
        async () => {
          if ((await table.count({ where: { id } })) > 0) await assertReferences(data)
        },
      )
      return row && toDomain(row)
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
    productId: filter.productId,
    count: filter.count,
    day: toDays(filter.day),
  }
}

function toDomain(row: Prisma.OrderLineGetPayload<typeof recordArgs>): OrderLine {
  return { ...row, day: row.day && fromDay(row.day) }
}
