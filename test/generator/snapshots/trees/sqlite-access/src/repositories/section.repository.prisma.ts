import type { Section, SectionFilter } from '../domain/section.js'
import type { Prisma } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import { assertFound, listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'
import type { SectionRepository } from './section.repository.js'

/** Arguments of every query: related records to include, search columns to omit. */
const recordArgs = {
  include: { report: { select: { id: true, title: true } } },
} satisfies Prisma.SectionDefaultArgs

export function createSectionRepository({ prisma }: Store): SectionRepository {
  const table = prisma.section

  /** Called after the store has refused a write. Throws AppError if a referenced record does not exist. */
  async function assertReferences(data: { reportId?: number }) {
    await assertFound('report', data.reportId, (where) => prisma.report.count({ where }))
  }

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Section>,
    write: (table: Prisma.SectionDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ section: locked }) => {
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
        table.findUnique({ where: { id }, select: { report: { select: { authorId: true } } } }),
      )
      return row?.report.authorId
    },

    async create(data) {
      const row = await run(table.create({ data, ...recordArgs }), [], () => assertReferences(data))
      return row
    },

    async update(id, data, check) {
      const change = (table: Prisma.SectionDelegate) =>
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
      const removal = (table: Prisma.SectionDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: SectionFilter): Prisma.SectionWhereInput {
  return {
    reportId: filter.reportId,
  }
}
