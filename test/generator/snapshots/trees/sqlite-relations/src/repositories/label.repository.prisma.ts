import type { Label, LabelFilter } from '../domain/label.js'
import type { Prisma, Label as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { LabelRepository } from './label.repository.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'
import type { Check } from './repository.js'

export function createLabelRepository({ prisma }: Store): LabelRepository {
  const table = prisma.label

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Label>,
    write: (table: Prisma.LabelDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ label: locked }) => {
      const row = await locked.findUnique({ where: { id } })
      if (row) check(toDomain(row))
      return write(locked)
    })
  }

  return {
    async list(query) {
      const where = matching(query)
      const [rows, total] = await run(
        Promise.all([table.findMany({ ...pageOf(query, where) }), table.count({ where })]),
      )
      return listingOf(query, rows.map(toDomain), total)
    },

    async find(id) {
      const row = await run(table.findUnique({ where: { id } }))
      return row ? toDomain(row) : undefined
    },

    async create(data) {
      const row = await run(table.create({ data }))
      return toDomain(row)
    },

    async update(id, data, check) {
      const change = (table: Prisma.LabelDelegate) => table.update({ where: { id }, data })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table))
      return row && toDomain(row)
    },

    async remove(id, check) {
      const removal = (table: Prisma.LabelDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
      return count > 0
    },
  }
}

function matching(filter: LabelFilter): Prisma.LabelWhereInput {
  return {
    hue: filter.hue,
  }
}

function toDomain(row: Row): Label {
  return { ...row, hue: row.hue as Label['hue'] }
}
