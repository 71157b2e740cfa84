import type { Person } from '../domain/person.js'
import type { Person as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { PersonRepository } from './person.repository.js'
import {
  fromDay,
  newestFirst,
  run,
  runOnExisting,
  skipTake,
  toDay,
  toJson,
  toNullableJson,
} from './prisma.js'

/** Columns with a unique constraint. */
const unique = ['email', 'token']

export function createPersonRepository({ prisma }: Store): PersonRepository {
  const table = prisma.person
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
      const row = await run(
        table.create({
          data: {
            ...data,
            born: toDay(data.born),
            joined: toDay(data.joined),
            settings: toJson(data.settings),
            profile: toJson(data.profile),
            extra: toNullableJson(data.extra),
          },
        }),
        unique,
      )
      return toDomain(row)
    },

    async update(id, data) {
      const row = await runOnExisting(
        table.update({
          where: { id },
          data: {
            ...data,
            born: toDay(data.born),
            joined: toDay(data.joined),
            settings: toJson(data.settings),
            profile: toJson(data.profile),
            extra: toNullableJson(data.extra),
          },
        }),
        unique,
      )
      return row && toDomain(row)
    },

    async remove(id) {
      const { count } = await run(table.deleteMany({ where: { id } }))
      return count > 0
    },
  }
}

function toDomain(row: Row): Person {
  return { ...row, born: row.born && fromDay(row.born), joined: fromDay(row.joined) }
}
