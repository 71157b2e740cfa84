import type { Label } from '../domain/label.js'
import type { Label as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { LabelRepository } from './label.repository.js'
import { newestFirst, run, runOnExisting, skipTake } from './prisma.js'

export function createLabelRepository({ prisma }: Store): LabelRepository {
  const table = prisma.label
  return {
    async list(page) {
      const [rows, total] = await run(
        Promise.all([table.findMany({ orderBy: newestFirst, ...skipTake(page) }), table.count()]),
      )
      return { rows: rows.map(toDomain), total }
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

function toDomain(row: Row): Label {
  return { ...row, hue: row.hue as Label['hue'] }
}
