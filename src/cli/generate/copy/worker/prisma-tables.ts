import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import { type AppRecord, fromCopied, toCopied } from './convert.ts'
import type { WorkerSettings } from './messages.ts'
import { importFrom } from './opened-store.ts'
import { foldOf, type Section, type Tables, type Values } from './tables.ts'

/** The parts of Prisma's client that a copy uses, beside one delegate for each model. */
interface Prisma {
  $queryRawUnsafe(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>
  [accessor: string]: unknown
}

interface Delegate {
  findMany(options: object): Promise<AppRecord[]>
  createMany(options: object): Promise<unknown>
  update(options: object): Promise<unknown>
  deleteMany(options: object): Promise<unknown>
}

/** Opens the store with the project's Prisma client, which converts the values of every dialect. */
export async function openPrisma(settings: WorkerSettings): Promise<Tables> {
  const { root, databaseUrl } = settings
  const { openStore } = await importFrom<{
    openStore: (url: string) => Promise<{ prisma: Prisma; close: () => Promise<void> }>
  }>(root, 'src/infra/store.ts', ['openStore'])
  const { Prisma } = await importFrom<{ Prisma: { DbNull: unknown } }>(
    root,
    'src/generated/prisma/client.ts',
    ['Prisma'],
  )
  const foldText = await foldOf(settings)
  const { prisma, close } = await openStore(databaseUrl)
  const delegateOf = ({ accessor }: CopiedCollection) => prisma[accessor] as Delegate

  /** Converts values to columns of Prisma. Leaves out the lists. */
  function toColumns(collection: CopiedCollection, values: Values) {
    const given = fromCopied(collection, values)
    const columns = collection.fields.flatMap(({ camel, type, optional, folded }) => {
      if (!(camel in given)) return []
      const value = given[camel]
      const text = folded ? [[folded, foldText(String(value ?? ''))] as const] : []
      if (type === 'date') return [[camel, value && new Date(String(value))] as const, ...text]
      if (type !== 'json') return [[camel, value] as const, ...text]
      return [[camel, value === null && optional ? Prisma.DbNull : toJson(value)] as const]
    })
    const { createdAt, updatedAt } = given
    return {
      ...Object.fromEntries(columns),
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    }
  }

  return {
    async find(collection, section) {
      const { many } = collection
      const include = Object.fromEntries(many.map(({ camel }) => [camel, { select: { id: true } }]))
      const order = { orderBy: { id: 'asc' }, ...(many.length > 0 && { include }) }
      const rows = await delegateOf(collection).findMany({ ...whereOf(section), ...order })
      return rows.map((row) => toCopied(collection, { ...row, ...idsOf(collection, row) }))
    },

    async nextId(collection, after) {
      const first = { ...whereOf({ after, limit: 1 }), orderBy: { id: 'asc' } }
      const [row] = await delegateOf(collection).findMany({ ...first, select: { id: true } })
      return row && Number(row.id)
    },

    async insert(collection, records) {
      const data = records.map((record) => ({ id: record.id, ...toColumns(collection, record) }))
      await delegateOf(collection).createMany({ data })
    },

    async update(collection, id, changes) {
      const data = { ...toColumns(collection, changes), ...linksOf(collection, changes) }
      await delegateOf(collection).update({ where: { id }, data, select: { id: true } })
    },

    async remove(collection, ids) {
      await delegateOf(collection).deleteMany({ where: { id: { in: [...ids] } } })
    },

    sql: {
      query: (sql, ...values) => prisma.$queryRawUnsafe(sql, ...values),
      execute: (sql, ...values) => prisma.$executeRawUnsafe(sql, ...values),
    },
    close,
  }
}

function whereOf(section: Section) {
  if ('ids' in section) return { where: { id: { in: [...section.ids] } } }
  return { where: { id: { gt: section.after } }, take: section.limit }
}

function idsOf({ many }: CopiedCollection, row: AppRecord) {
  const lists = many.map(({ camel }) => [
    camel,
    (row[camel] as { id: number }[]).map(({ id }) => id),
  ])
  return Object.fromEntries(lists)
}

function linksOf({ many }: CopiedCollection, changes: Values) {
  const lists = many.flatMap(({ name, camel }) => {
    const ids = changes[name]
    return Array.isArray(ids) ? [[camel, { set: ids.map((id: number) => ({ id })) }] as const] : []
  })
  return Object.fromEntries(lists)
}

/** Serializes JSON here: Prisma's client would keep only 16 digits of a number. */
function toJson(value: unknown) {
  return { toJSON: () => ({ $type: 'Json', value: JSON.stringify(value) }) }
}
