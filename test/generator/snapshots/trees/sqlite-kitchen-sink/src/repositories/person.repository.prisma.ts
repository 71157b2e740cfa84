import type { Person, PersonFilter } from '../domain/person.js'
import type { Prisma, Person as Row } from '../generated/prisma/client.js'
import type { Store } from '../infra/store.js'
import type { PersonRepository } from './person.repository.js'
import {
  fromDay,
  listingOf,
  pageOf,
  run,
  runOnExisting,
  toDay,
  toDays,
  toJson,
  toNullableJson,
} from './prisma.js'

/** Columns with a unique constraint. */
const unique = ['email', 'token']

export function createPersonRepository({ prisma }: Store): PersonRepository {
  const table = prisma.person
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

function matching(filter: PersonFilter): Prisma.PersonWhereInput {
  return {
    seen: filter.seen,
    locked: filter.locked,
    since: filter.since,
    order: filter.order,
    born: toDays(filter.born),
    joined: toDays(filter.joined),
  }
}

function toDomain(row: Row): Person {
  return { ...row, born: row.born && fromDay(row.born), joined: fromDay(row.joined) }
}
