import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import { type CopiedRecord, differingNames } from '../../../../generator/copy/copied-record.ts'
import { openKysely } from './kysely-tables.ts'
import type { WorkerSettings } from './messages.ts'
import type { OpenedStore } from './opened-store.ts'
import { openPrisma } from './prisma-tables.ts'
import { dialectOf } from './relational-dialects.ts'
import type { Tables } from './tables.ts'

/** Opens a relational store with the project's query library. */
export async function openRelational(settings: WorkerSettings): Promise<OpenedStore> {
  const { kind, orm, databaseUrl, collections } = settings
  const tables = await (orm === 'kysely' ? openKysely(settings) : openPrisma(settings))
  const dialect = dialectOf(kind, tables.sql, databaseUrl)
  const collectionOf = (name: string) => findCollection(collections, name)
  return {
    read: (name, after, limit) => readBatch(tables, collectionOf(name), after, limit),

    async write(name, records, without) {
      const collection = collectionOf(name)
      const found = await tables.find(collection, { ids: records.map(({ id }) => id) })
      const byId = new Map(found.map((record) => [record.id, record]))
      const added = records.filter(({ id }) => !byId.has(id))
      await insertAll(
        tables,
        collection,
        added.map((record) => omit(record, without)),
      )
      for (const record of records) {
        // A record is inserted without links: Prisma inserts many rows at once only without them.
        const stored = byId.get(record.id) ?? withoutLinks(collection, record)
        const changes = pick(record, differingNames(record, stored), without)
        if (Object.keys(changes).length > 0) await tables.update(collection, record.id, changes)
      }
    },

    remove: (name, ids) => tables.remove(collectionOf(name), ids),
    lastId: (name) => dialect.lastId(name),
    raiseLastId: (name, id) => dialect.raiseLastId(name, id),
    foreign: () => dialect.foreign(collections),
    close: tables.close,
  }
}

/** Reads a batch. If the project can't read a value, for example a text in an integer column, names the record. */
async function readBatch(
  tables: Tables,
  collection: CopiedCollection,
  after: number,
  limit: number,
): Promise<readonly CopiedRecord[]> {
  try {
    return await tables.find(collection, { after, limit })
  } catch (error) {
    let last = after
    for (let count = 0; count < limit; count += 1) {
      const id = await tables.nextId(collection, last)
      if (id === undefined) break
      await tables.find(collection, { ids: [id] }).catch((cause: unknown) => {
        throw new Error(`${collection.name}: record ${id} can't be read`, { cause })
      })
      last = id
    }
    throw error
  }
}

/** Inserts a batch. If the store refuses the batch, inserts the records one by one: the error names the record. */
async function insertAll(
  tables: Tables,
  collection: CopiedCollection,
  records: readonly CopiedRecord[],
): Promise<void> {
  if (records.length === 0) return
  try {
    await tables.insert(collection, records)
  } catch {
    for (const record of records) await insertOne(tables, collection, record)
  }
}

async function insertOne(
  tables: Tables,
  collection: CopiedCollection,
  record: CopiedRecord,
): Promise<void> {
  try {
    await tables.insert(collection, [record])
  } catch (cause) {
    throw new Error(`${collection.name}: record ${record.id} can't be written`, { cause })
  }
}

function withoutLinks({ many }: CopiedCollection, record: CopiedRecord): CopiedRecord {
  return { ...record, ...Object.fromEntries(many.map(({ name }) => [name, []])) }
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
