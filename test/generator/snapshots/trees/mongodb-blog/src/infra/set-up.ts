import { type Db, MongoServerError } from 'mongodb'
import type { Collection } from './collection.js'
import { fillFields } from './fill-fields.js'
import { indexesOf, isOurs } from './indexes.js'
import { schema } from './schema.js'

/**
 * Brings the store up to date with src/infra/schema.ts. What is done stays done: several processes may do it at
 * once. Throws where records do not fit the schema.
 */
export async function setUp(db: Db): Promise<void> {
  await Promise.all(
    Object.entries(schema).map(([name, collection]) => setUpOne(db, name, collection)),
  )
}

async function setUpOne(db: Db, name: string, collection: Collection): Promise<void> {
  const kept = db.collection(name)
  await fillFields(db, name, collection)
  const indexes = indexesOf(collection)
  await kept.createIndexes(indexes)
  const wanted = new Set(indexes.map((index) => index.name))
  const names = (await kept.indexes()).flatMap((index) => index.name ?? [])
  const unwanted = names.filter((index) => isOurs(index) && !wanted.has(index))
  await Promise.all(unwanted.map((index) => kept.dropIndex(index).catch(ignoreMissing)))
}

const indexNotFound = 27

/** Another process was faster. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof MongoServerError && error.code === indexNotFound)) throw error
}
