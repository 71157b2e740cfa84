import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import { type CopiedRecord, differingNames } from '../../../../generator/copy/copied-record.ts'
import { type AppRecord, fromCopied, toCopied } from './convert.ts'
import type { WorkerSettings } from './messages.ts'
import { importFrom, type OpenedStore } from './opened-store.ts'
import { dialectOf, type Prisma } from './relational-dialects.ts'

interface Table {
  findMany(options: object): Promise<AppRecord[]>
  createMany(options: object): Promise<unknown>
  update(options: object): Promise<unknown>
  deleteMany(options: object): Promise<unknown>
}

/** Opens a relational store with the project's Prisma client, which converts the values of every dialect. */
export async function openRelational(settings: WorkerSettings): Promise<OpenedStore> {
  const { root, kind, databaseUrl, collections } = settings
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
  const dialect = dialectOf(kind, prisma, databaseUrl)
  const collectionOf = (name: string) => findCollection(collections, name)
  const tableOf = ({ accessor }: CopiedCollection) => prisma[accessor] as Table

  async function find(collection: CopiedCollection, options: object): Promise<CopiedRecord[]> {
    const { many } = collection
    const include = Object.fromEntries(many.map(({ camel }) => [camel, { select: { id: true } }]))
    const order = { orderBy: { id: 'asc' }, ...(many.length > 0 && { include }) }
    const rows = await tableOf(collection).findMany({ ...options, ...order })
    return rows.map((row) => toCopied(collection, { ...row, ...idsOf(collection, row) }))
  }

  /** Converts values to columns of Prisma. Leaves out the lists. */
  function toColumns(collection: CopiedCollection, values: Readonly<Record<string, unknown>>) {
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
    read: (name, after, limit) =>
      find(collectionOf(name), { where: { id: { gt: after } }, take: limit }),

    async write(name, records, without) {
      const collection = collectionOf(name)
      const table = tableOf(collection)
      const ids = records.map(({ id }) => id)
      const found = await find(collection, { where: { id: { in: ids } } })
      const byId = new Map(found.map((record) => [record.id, record]))
      const added = records.filter(({ id }) => !byId.has(id))
      const data = added.map((record) => ({
        id: record.id,
        ...toColumns(collection, omit(record, without)),
      }))
      if (data.length > 0) await table.createMany({ data })
      for (const record of records) {
        const { id } = record
        const changed = differingNames(record, byId.get(id) ?? omitLists(collection, record))
        const changes = pick(record, changed, without)
        const lists = linksOf(collection, changes)
        const columns = byId.has(id) ? toColumns(collection, changes) : {}
        const data = { ...columns, ...lists }
        if (Object.keys(data).length > 0)
          await table.update({ where: { id }, data, select: { id: true } })
      }
    },

    async remove(name, ids) {
      await tableOf(collectionOf(name)).deleteMany({ where: { id: { in: [...ids] } } })
    },

    lastId: (name) => dialect.lastId(name),
    raiseLastId: (name, id) => dialect.raiseLastId(name, id),
    foreign: () => dialect.foreign(collections),
    close,
  }
}

export function findCollection(
  collections: readonly CopiedCollection[],
  name: string,
): CopiedCollection {
  const found = collections.find((each) => each.name === name)
  if (!found) throw new Error(`the model has no ${name}`)
  return found
}

export function omit(record: CopiedRecord, names: readonly string[]): CopiedRecord {
  const left = Object.entries(record).filter(([name]) => !names.includes(name))
  return { id: record.id, ...Object.fromEntries(left) }
}

/** Returns the values of these names, except those in `without`. */
export function pick(record: CopiedRecord, names: readonly string[], without: readonly string[]) {
  const wanted = names.filter((name) => !without.includes(name))
  return Object.fromEntries(wanted.map((name) => [name, record[name]]))
}

/** The project has the function only if a text is searched. */
async function foldOf({ root, collections }: WorkerSettings): Promise<(text: string) => string> {
  const isSearched = collections.some(({ fields }) => fields.some(({ folded }) => folded))
  if (!isSearched) return (text) => text
  const fold = { path: 'src/domain/fold-text.ts', name: 'foldText' } as const
  const module = await importFrom<{ foldText: (text: string) => string }>(root, fold.path, [
    fold.name,
  ])
  return module.foldText
}

function idsOf({ many }: CopiedCollection, row: AppRecord) {
  const lists = many.map(({ camel }) => [
    camel,
    (row[camel] as { id: number }[]).map(({ id }) => id),
  ])
  return Object.fromEntries(lists)
}

/** A record is inserted without links: Prisma inserts many rows at once only without them. */
function omitLists({ many }: CopiedCollection, record: CopiedRecord): CopiedRecord {
  return { ...record, ...Object.fromEntries(many.map(({ name }) => [name, []])) }
}

function linksOf({ many }: CopiedCollection, changes: Readonly<Record<string, unknown>>) {
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
