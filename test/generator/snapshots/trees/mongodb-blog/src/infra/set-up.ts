import { type Db, MongoServerError } from 'mongodb'
import type { Collection } from './collection.js'
import { fillFields } from './fill-fields.js'
import { indexesOf, isAppIndex } from './indexes.js'
import { schema } from './schema.js'

/**
 * Updates the store to src/infra/schema.ts. Idempotent: several processes can run this function at
 * the same time, and the next run completes an interrupted run. Throws if records do not fit the
 * schema.
 */
export async function setUp(db: Db): Promise<void> {
  await Promise.all(
    Object.entries(schema).map(([name, collection]) => setUpCollection(db, name, collection)),
  )
}

async function setUpCollection(db: Db, name: string, collection: Collection): Promise<void> {
  const records = db.collection(name)
  await fillFields(db, name, collection)
  const indexes = indexesOf(collection)
  await records.createIndexes(indexes)
  const wanted = new Set(indexes.map((index) => index.name))
  const names = (await records.indexes()).flatMap((index) => index.name ?? [])
  const unwanted = names.filter((index) => isAppIndex(index) && !wanted.has(index))
  await Promise.all(unwanted.map((index) => records.dropIndex(index).catch(ignoreMissing)))
}

const indexNotFound = 27

/** Ignores a missing index: another process has already dropped it. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof MongoServerError && error.code === indexNotFound)) throw error
}
