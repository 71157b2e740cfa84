import { AppError } from '../../src/domain/app-error.js'
import type { Repository, Stored } from '../../src/repositories/repository.js'

/** A repository in memory, for tests without a store. It passes the same contract suite as the real ones. */
export function createMemoryRepository<Row extends Stored>(
  unique: readonly (keyof Row)[],
): Repository<Row> {
  const rows = new Map<number, Row>()
  let lastId = 0

  function keepUnique(candidate: Row) {
    for (const field of unique) {
      const taken = [...rows.values()].some(
        (row) => row.id !== candidate.id && row[field] === candidate[field] && row[field] !== null,
      )
      if (taken) throw new AppError('conflict', `${String(field)} is already taken`)
    }
  }

  return {
    async list({ page, pageSize }) {
      const sorted = [...rows.values()].sort(newestFirst)
      const start = (page - 1) * pageSize
      return { rows: sorted.slice(start, start + pageSize), total: sorted.length }
    },
    find: async (id) => rows.get(id),
    async create(fields) {
      const row = { ...fields, id: lastId + 1 } as Row
      keepUnique(row)
      lastId = row.id
      rows.set(row.id, row)
      return row
    },
    async update(id, changes) {
      const row = rows.get(id)
      if (!row) return undefined
      const changed = { ...row, ...changes }
      keepUnique(changed)
      rows.set(id, changed)
      return changed
    },
    remove: async (id) => rows.delete(id),
  }
}

function newestFirst(a: Stored, b: Stored): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id
}
