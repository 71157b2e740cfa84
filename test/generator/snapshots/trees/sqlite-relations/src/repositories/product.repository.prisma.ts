import type { Product, ProductDetails, ProductFilter } from '../domain/product.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import {
  assertFound,
  assertKnown,
  containing,
  fromDay,
  listingOf,
  pageOf,
  run,
  runOnExisting,
  toDay,
  toDays,
  toSearch,
} from './prisma.js'
import type { ProductRepository } from './product.repository.js'
import { type Check, maxParts } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  omit: { nameSearch: true, noteSearch: true },
  include: { category: { select: { id: true, name: true } }, labels: { orderBy: { id: 'asc' } } },
} satisfies Prisma.ProductDefaultArgs

/** Arguments of a query for a single record, which also includes its parts. */
const detailsArgs = {
  ...recordArgs,
  include: {
    ...recordArgs.include,
    orderLines: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: maxParts },
  },
} satisfies Prisma.ProductDefaultArgs

export function createProductRepository({ prisma }: Store): ProductRepository {
  const table = prisma.product

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { categoryId?: number; labels?: readonly number[] }) {
    await assertFound('category', data.categoryId, (where) => prisma.category.count({ where }))
    await assertKnown('labels', data.labels, (ids) =>
      prisma.label.findMany({ where: { id: { in: ids } }, select: { id: true } }),
    )
  }

  /** Adds the parts to a record. Counts the parts only if there can be more than the newest ones. */
  async function toDetails(
    row: Prisma.ProductGetPayload<typeof detailsArgs>,
  ): Promise<ProductDetails> {
    return {
      ...toDomain(row),
      orderLines: row.orderLines
        .toReversed()
        .map((orderLine) => ({ ...orderLine, day: orderLine.day && fromDay(orderLine.day) })),
      orderLinesTotal:
        row.orderLines.length < maxParts
          ? row.orderLines.length
          : await run(prisma.orderLine.count({ where: { productId: row.id } })),
    }
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Product>,
    write: (table: Prisma.ProductDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ product: locked }) => {
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
      const row = await run(table.findUnique({ where: { id }, ...detailsArgs }))
      return row ? toDetails(row) : undefined
    },

    async create(data) {
      const row = await run(
        table.create({
          data: {
            ...data,
            made: toDay(data.made),
            nameSearch: toSearch(data.name),
            noteSearch: toSearch(data.note),
            labels: { connect: data.labels.map((id) => ({ id })) },
          },
          ...recordArgs,
        }),
        [],
        () => assertReferences(data),
      )
      return toDomain(row)
    },

    async update(id, data, check) {
      const change = (table: Prisma.ProductDelegate) =>
        table.update({
          where: { id },
          data: {
            ...data,
            made: toDay(data.made),
            nameSearch: toSearch(data.name),
            noteSearch: toSearch(data.note),
            labels: data.labels && { set: [], connect: data.labels.map((id) => ({ id })) },
          },
          ...recordArgs,
        })
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
      const removal = (table: Prisma.ProductDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: ProductFilter): Prisma.ProductWhereInput {
  const text = containing(filter.search)
  return {
    categoryId: filter.categoryId,
    soldOut: filter.soldOut,
    price: filter.price,
    made: toDays(filter.made),
    labels: filter.label === undefined ? undefined : { some: { id: filter.label } },
    OR: text && [{ nameSearch: text }, { noteSearch: text }],
  }
}

function toDomain(row: Prisma.ProductGetPayload<typeof recordArgs>): Product {
  return {
    ...row,
    price: row.price.toFixed(2),
    made: fromDay(row.made),
    labels: row.labels.map((label) => ({
      ...label,
      hue: label.hue as Product['labels'][number]['hue'],
    })),
  }
}
