import { type Filter, MongoServerError, type UpdateFilter } from 'mongodb'
import { AppError } from '../domain/app-error.js'
import { orderKeysOf } from '../infra/order-keys.js'
import { isOutage } from '../infra/outage.js'
import type { Store } from '../infra/store.js'
import { collectionOf } from './document-schema.js'
import type { Document, DocumentStore, ReadOptions } from './document-store.js'
import { type StoredDocument, toFilter, toSectionFilter, toSort } from './mongodb-filters.js'

/** The last id that a collection has used. */
interface Counter {
  _id: string
  last: number
}

/** The server cancels a query after this time. */
const limits = { maxTimeMS: 10_000 }

/** The server's limit of `skip`. No collection has as many documents, so a page beyond the limit is empty as well. */
const maxSkip = 2 ** 31 - 1

export function createDocumentStore({ db }: Store): DocumentStore {
  const counters = db.collection<Counter>('_counters')
  const documentsOf = (collection: string) => db.collection<StoredDocument>(collection)
  const withOrderKeys = (collection: string, given: Readonly<Record<string, unknown>>) => {
    return { ...given, ...orderKeysOf(Object.values(collectionOf(collection).fields), given) }
  }

  async function find(
    collection: string,
    filter: Filter<StoredDocument>,
    { names, limit = 0 }: ReadOptions = {},
  ) {
    const projection = names && Object.fromEntries(['_id', ...names].map((name) => [name, 1]))
    const options = {
      ...limits,
      limit,
      sort: { _id: 1 },
      ...(projection && { projection }),
    } as const
    return (await run(documentsOf(collection).find(filter, options).toArray())).map(toDocument)
  }

  return {
    async takeId(collection) {
      const options = { ...limits, upsert: true, returnDocument: 'after' } as const
      const filter = { _id: collection }
      const counter = await run(counters.findOneAndUpdate(filter, { $inc: { last: 1 } }, options))
      if (!counter) throw new Error(`no counter for ${collection}`)
      return counter.last
    },

    async insert(collection, { id, ...fields }) {
      await run(
        documentsOf(collection).insertOne(
          { _id: id, ...withoutNulls(withOrderKeys(collection, fields)) },
          limits,
        ),
      )
    },

    async update(collection, id, changes, expected = {}) {
      const options = { ...limits, returnDocument: 'before' } as const
      const filter = { _id: id, ...expected }
      const update = toUpdate(withOrderKeys(collection, changes))
      const found = await run(documentsOf(collection).findOneAndUpdate(filter, update, options))
      if (!found) return undefined
      const before = toDocument(found)
      return { before, after: { ...before, ...changes } }
    },

    async page(collection, condition, section) {
      const { order, offset, limit } = section
      const options = { ...limits, sort: toSort(order), skip: Math.min(offset, maxSkip), limit }
      const [documents, total] = await run(
        Promise.all([
          documentsOf(collection).find(toSectionFilter(condition, section), options).toArray(),
          documentsOf(collection).countDocuments(toFilter(condition), limits),
        ]),
      )
      return { documents: documents.map(toDocument), total }
    },

    markName,

    async read(collection, ids, options) {
      return ids.length === 0 ? [] : find(collection, { _id: { $in: [...ids] } }, options)
    },

    async readBy(collection, name, values, options) {
      return find(collection, { [name]: { $in: [...values] } }, options)
    },

    async marks(collection, ids) {
      const found = await find(collection, { _id: { $in: [...ids] } }, { names: [markName] })
      return new Map(
        found.map((document) => [document.id, document[markName] as string | undefined]),
      )
    },

    async mark(collection, ids, mark) {
      const filter = { _id: { $in: [...ids] }, [markName]: { $exists: false } }
      await run(documentsOf(collection).updateMany(filter, { $set: { [markName]: mark } }, limits))
    },

    async unmark(collection, ids, marks) {
      const update = { $unset: { [markName]: true } }
      await run(documentsOf(collection).updateMany(marked(ids, marks), update, limits))
    },

    async removeMarked(collection, ids, marks) {
      const { deletedCount } = await run(
        documentsOf(collection).deleteMany(marked(ids, marks), limits),
      )
      return deletedCount
    },

    async unlink(collection, name, ids) {
      // The driver's types do not accept a computed field name.
      const update = { $pull: { [name]: { $in: [...ids] } } } as UpdateFilter<StoredDocument>
      await run(documentsOf(collection).updateMany({ [name]: { $in: [...ids] } }, update, limits))
    },
  }
}

/** The field with the mark of a removal in progress. No field of the app begins with an underscore. */
const markName = '_removing'

function marked(ids: readonly number[], marks: readonly string[]): Filter<StoredDocument> {
  return { _id: { $in: [...ids] }, [markName]: { $in: [...marks] } }
}

/**
 * Awaits a query. Throws AppError `conflict` if a unique value is taken, `unavailable` if the store does not answer.
 *
 * @public for queries of your own
 */
export async function run<T>(query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    throw toAppError(error)
  }
}

/** @public for queries of your own */
export function toDocument({ _id, ...fields }: StoredDocument): Document {
  return { id: _id, ...fields }
}

function withoutNulls(fields: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function toUpdate(changes: Readonly<Record<string, unknown>>): UpdateFilter<StoredDocument> {
  const empty = Object.keys(changes).filter((name) => changes[name] === null)
  const unset = Object.fromEntries(empty.map((name) => [name, true]))
  return {
    $set: withoutNulls(changes),
    ...(empty.length > 0 && { $unset: unset }),
  }
}

function toAppError(error: unknown): unknown {
  if (isOutage(error)) {
    return new AppError('unavailable', 'the store does not answer, try again', { cause: error })
  }
  if (!(error instanceof MongoServerError && error.code === duplicateKey)) return error
  return new AppError('conflict', `${takenField(error)} is already taken`, { cause: error })
}

const duplicateKey = 11000

/** Returns the fields of a unique violation. The server reports the key, or the index's name, as `a+b_key`. */
function takenField({ keyPattern, message }: MongoServerError): string {
  const [, reported = 'a unique value'] = /index: (?:\S+\$)?(\S+)_key/.exec(message) ?? []
  const names = keyPattern ? Object.keys(keyPattern) : reported.split('+')
  return names.join(' + ')
}
