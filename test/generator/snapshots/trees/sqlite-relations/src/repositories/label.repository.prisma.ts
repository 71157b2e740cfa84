import type { Label, LabelFilter } from '../domain/label.js'
import type { Prisma, Label as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { LabelRepository } from './label.repository.js'
import { listingOf, pageOf, run, runOnExisting } from './prisma.js'

export function createLabelRepository({ prisma }: Store): LabelRepository {
  const table = prisma.label
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

    async update(id, data) {
      const row = await runOnExisting(table.update({ where: { id }, data }))
      return row && toDomain(row)
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
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
