import type { Parcel, ParcelFilter } from '../domain/parcel.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { ParcelRepository } from './parcel.repository.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'

/** Columns with a unique constraint. */
const unique = ['code']

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: { orderLine: { select: { id: true } } },
} satisfies Prisma.ParcelDefaultArgs

export function createParcelRepository({ prisma }: Store): ParcelRepository {
  const table = prisma.parcel

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { orderLineId?: number }) {
    await assertFound('order line', data.orderLineId, (where) => prisma.orderLine.count({ where }))
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Parcel>,
    write: (table: Prisma.ParcelDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ parcel: locked }) => {
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
      const row = await run(
        table.findUnique({
          where: { id },
          select: { orderLine: { select: { order: { select: { customerId: true } } } } },
        }),
      )
      return row?.orderLine.order.customerId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), unique, () =>
        assertReferences(data),
      )
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.ParcelDelegate) =>
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
      const removal = (table: Prisma.ParcelDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: ParcelFilter): Prisma.ParcelWhereInput {
  return {
    orderLineId: filter.orderLineId,
    AND:
      filter.visibleTo === undefined
        ? undefined
        : [{ orderLine: { order: { customerId: filter.visibleTo } } }],
  }
}
