import type { Report, ReportDetails, ReportFilter } from '../domain/report.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { ReportRepository } from './report.repository.js'
import { type Check, maxParts } from './repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: { author: { select: { id: true, name: true } }, order: { select: { id: true } } },
} satisfies Prisma.ReportDefaultArgs

/** Arguments of a query for a single record, which also includes its parts. */
const detailsArgs = {
  ...recordArgs,
  include: {
    ...recordArgs.include,
    sections: { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], take: maxParts },
  },
} satisfies Prisma.ReportDefaultArgs

export function createReportRepository({ prisma }: Store): ReportRepository {
  const table = prisma.report

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { authorId?: number; orderId?: number | null }) {
    await assertFound('user', data.authorId, (where) => prisma.user.count({ where }))
    await assertFound('order', data.orderId, (where) => prisma.order.count({ where }))
  }

  /** Adds the parts to a record. Counts the parts only if there can be more than the newest ones. */
  async function toDetails(
    row: Prisma.ReportGetPayload<typeof detailsArgs>,
  ): Promise<ReportDetails> {
    return {
      ...row,
      sections: row.sections.toReversed(),
      sectionsTotal:
        row.sections.length < maxParts
          ? row.sections.length
          : await run(prisma.section.count({ where: { reportId: row.id } })),
    }
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Report>,
    write: (table: Prisma.ReportDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ report: locked }) => {
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
          table.findMany({ ...pageOf(query, where, { nullable: ['orderId'] }), ...recordArgs }),
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
      const row = await run(table.findUnique({ where: { id }, select: { authorId: true } }))
      return row?.authorId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.ReportDelegate) =>
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
      const removal = (table: Prisma.ReportDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: ReportFilter): Prisma.ReportWhereInput {
  return {
    authorId: filter.authorId,
    orderId: filter.orderId,
  }
}
