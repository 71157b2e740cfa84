import { type Db, MongoServerError } from 'mongodb'
import type { Collection, Field } from './collection.js'
import { fillFields } from './fill-fields.js'
import { indexesOf } from './indexes.js'
import { schema } from './schema.js'

/** The fields of a collection as of the app's last start, by name. */
interface StoredSchema {
  _id: string
  fields: Record<string, Field>
  unique?: Collection['unique']
  index?: Collection['index']
}

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
  const schemas = db.collection<StoredSchema>('_schema')
  const stored = await schemas.findOne({ _id: name })
  const previous = stored?.fields ?? {}
  const records = db.collection(name)
  const fields = Object.values(collection.fields)
  await fillFields(records, fields, previous)
  const indexes = indexesOf(collection)
  await records.createIndexes(indexes)
  const wanted = new Set(indexes.map((index) => index.name))
  // The database may have indexes of its owner: drop only those that the last start created.
  const stale = [...indexesOf({ ...stored, fields: previous }), ...indexesWithoutId(previous)]
    .map((index) => index.name)
    .filter((index) => !wanted.has(index))
  await Promise.all(stale.map((index) => records.dropIndex(index).catch(ignoreMissing)))
  const byName = Object.fromEntries(fields.map((field) => [field.name, field]))
  const { unique, index } = collection
  const groups = { ...(unique && { unique }), ...(index && { index }) }
  await schemas.replaceOne({ _id: name }, { fields: byName, ...groups }, { upsert: true })
}

/** Returns the indexes of projects whose lists could not be sorted yet. */
function indexesWithoutId(previous: Record<string, Field>) {
  const fields = Object.values(previous).filter(({ index, sort }) => index && !sort)
  return fields.map(({ name }) => ({ name: `${name}_idx` }))
}

const indexNotFound = 27

/** Ignores a missing index: another process has already dropped it. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof MongoServerError && error.code === indexNotFound)) throw error
}
