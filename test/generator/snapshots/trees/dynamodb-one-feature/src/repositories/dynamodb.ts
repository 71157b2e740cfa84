import { isDeepStrictEqual } from 'node:util'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { fromItem, type Item, toItem } from '../infra/item.js'
import { counterKey, type Key } from '../infra/keys.js'
import { createRecords } from '../infra/records.js'
import type { Store } from '../infra/store.js'
import { collectionOf } from './document-schema.js'
import type { Document, DocumentStore } from './document-store.js'
import { findSection } from './dynamodb-sections.js'

export function createDocumentStore(store: Store): DocumentStore {
  const recordsOf = (name: string) => createRecords(store, name, collectionOf(name))

  const documents: DocumentStore = {
    async takeId(name) {
      const counter = await updateItem(store, counterKey(name), {
        UpdateExpression: 'ADD #last :one',
        ExpressionAttributeNames: { '#last': 'last' },
        ExpressionAttributeValues: { ':one': 1 },
      })
      return Number(counter?.last)
    },

    async insert(name, document) {
      await recordsOf(name).insert(toItem(document, collectionOf(name)))
    },

    async update(name, id, changes, expected = {}) {
      const values = toItem(changes, collectionOf(name))
      const otherFields = (record: Item) =>
        Object.entries(record).filter(([each]) => !(each in changes))
      const written = await recordsOf(name).change(id, (record) => {
        if (!hasValues(name, record, expected)) return undefined
        return { before: record, after: { ...Object.fromEntries(otherFields(record)), ...values } }
      })
      if (!written) return undefined
      return { before: toDocument(name, written.before), after: toDocument(name, written.after) }
    },

    async page(name, condition, section) {
      const { ids, total } = await findSection(store, name, condition, section)
      const found = await recordsOf(name).read(ids)
      const records = new Map(found.map((record) => [record.id, record] as const))
      // A record that was removed since the query is left out.
      const existing = ids.map((id) => records.get(id)).filter((record) => record !== undefined)
      return { documents: existing.map((record) => toDocument(name, record)), total }
    },

    async read(name, ids) {
      const records = await recordsOf(name).read(ids)
      return records.map((record) => toDocument(name, record))
    },

    async remove(name, id, expected = {}) {
      const removed = await recordsOf(name).change(id, (record) =>
        hasValues(name, record, expected) ? {} : undefined,
      )
      return removed !== undefined
    },
  }
  return documents
}

/** Returns true if the record has the values of `expected`. */
function hasValues(
  name: string,
  record: Item,
  expected: Readonly<Record<string, unknown>>,
): boolean {
  const values = toItem(expected, collectionOf(name))
  return Object.keys(expected).every((each) => isDeepStrictEqual(record[each], values[each]))
}

interface Update {
  UpdateExpression: string
  ConditionExpression?: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues: Record<string, unknown>
}

/**
 * Updates one item and returns it. Returns undefined if the condition is false. Only for attributes
 * without an index: src/infra/records.ts writes indexed fields together with their index entries.
 */
async function updateItem(
  { client, table }: Store,
  Key: Key,
  update: Update,
): Promise<Item | undefined> {
  const command = new UpdateCommand({ TableName: table, Key, ReturnValues: 'ALL_NEW', ...update })
  try {
    const { Attributes } = await client.send(command)
    return Attributes
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined
    throw error
  }
}

/** @public for queries of your own */
export function toDocument(name: string, item: Item): Document {
  return fromItem(item, collectionOf(name)) as Document
}
