import { createDocuments } from '../infra/documents.js'
import { run } from '../infra/requests.js'
import type { Store } from '../infra/store.js'
import type { Fields } from '../infra/writes.js'
import type { Document, DocumentStore } from './document-store.js'
import { hasValues, sourceOf, toDocument, toFields } from './elasticsearch-fields.js'
import { toFollowing, toQuery, toSort } from './elasticsearch-query.js'
import { createRecords } from './elasticsearch-records.js'

/** Position of the last result that the index can return. */
const maxResult = 2 ** 31 - 1

/**
 * Creates the store. Lists are searches: they include a write as soon as the write has returned. Other reads are by
 * id, and always return the latest version.
 */
export function createDocumentStore(store: Store): DocumentStore {
  const { client, indexOf } = store
  const documentsOf = (collection: string) => createDocuments(client, indexOf(collection))
  const recordsOf = (collection: string) => createRecords(store, collection)

  return {
    async takeId(collection) {
      const settings = { index: indexOf('_counters'), require_alias: true }
      // Each write of the same document increments its version.
      const { _version } = await run(client.index({ ...settings, id: collection, document: {} }))
      return _version
    },

    async insert(collection, document) {
      await recordsOf(collection).insert(document)
    },

    async update(collection, id, changes, expected = {}) {
      const updated = await recordsOf(collection).update(id, changes, expected)
      if (!updated) return undefined
      const { before, after } = updated
      return { before: toDocument(collection, before), after: toDocument(collection, after) }
    },

    async page(collection, condition, section) {
      const { order, after, offset, limit } = section
      const index = indexOf(collection)
      const query = toQuery(collection, condition)
      const isBeyond = offset + limit > maxResult
      const search = client.search<Fields>({
        index,
        query: { bool: { filter: [query, ...toFollowing(section)] } },
        sort: toSort(order),
        ...(isBeyond ? { size: 0 } : { from: offset, size: limit }),
        track_total_hits: !after,
        allow_partial_search_results: false,
        ...sourceOf(collection),
      })
      // The search after a position counts only what follows.
      const [{ hits }, all] = await run(
        Promise.all([search, after && client.count({ index, query })]),
      )
      const { total = 0 } = hits
      const documents = hits.hits.map(({ _source = {} }) => toDocument(collection, _source))
      return { documents, total: all?.count ?? (typeof total === 'number' ? total : total.value) }
    },

    async read(collection, ids) {
      const found = await documentsOf(collection).get(ids.map(String), sourceOf(collection))
      return found.map(({ fields }) => toDocument(collection, fields)).sort(byId)
    },

    async remove(collection, id, expected = {}) {
      const values = toFields(collection, expected)
      return (await recordsOf(collection).remove([id], (fields) => hasValues(fields, values))) > 0
    },
  }
}

function byId(one: Document, other: Document): number {
  return one.id - other.id
}
