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
import type { Check } from './repository.js'

/** Columns with a unique constraint. */
const unique = ['email', 'token']

export function createPersonRepository({ prisma }: Store): PersonRepository {
  const table = prisma.person

  /** Runs a check and a write in one transaction. The store runs such transactions one after another. */
  function checked<T>(
    id: number,
    check: Check<Person>,
    write: (table: Prisma.PersonDelegate) => PromiseLike<T>,
  ): Promise<T> {
    return prisma.$transaction(async ({ person: locked }) => {
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

    async update(id, data, check) {
      const change = (table: Prisma.PersonDelegate) =>
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
        })
      const row = await runOnExisting(check ? checked(id, check, change) : change(table), unique)
      return row && toDomain(row)
    },

    async remove(id, check) {
      const removal = (table: Prisma.PersonDelegate) => table.deleteMany({ where: { id } })
      const { count } = await run(check ? checked(id, check, removal) : removal(table))
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
