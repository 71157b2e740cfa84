import { type Many, nameOf, type Reference } from '../infra/collection.js'
import { type AppRecord, fromDocument } from './document-fields.js'
import { orderOf } from './document-order.js'
import { collectionOf } from './document-schema.js'
import type { Document, DocumentStore } from './document-store.js'
import { maxParts } from './repository.js'

/** Creates functions that convert documents to records with their relations. Each relation takes one query for all records. */
export function createReader(documents: DocumentStore) {
  /**
   * Returns records in the order of the documents. Omits a record whose required reference is
   * missing: a removal that cascades to the record is in progress. Leaves out the summary for the
   * foreign key `whole`.
   */
  async function read(
    name: string,
    found: readonly Document[],
    whole?: string,
  ): Promise<AppRecord[]> {
    if (found.length === 0) return []
    const collection = collectionOf(name)
    const { fields, many = [] } = collection
    const references = (collection.references ?? []).filter(({ key }) => key !== whole)
    const records = found.map((document) => fromDocument(collection, document))
    const parts = await Promise.all([
      ...references.map((reference) => summariesFor(records, reference)),
      ...many.map((relation) => listsFor(records, relation)),
    ])
    const hasReferences = (record: AppRecord) =>
      references.every(({ key, as }) => fields[key]?.optional || record[as] !== null)
    return records
      .map((record) => ({ ...record, ...Object.fromEntries(parts.map((part) => part(record))) }))
      .filter(hasReferences)
  }

  /** Returns a single record with its newest parts and their numbers, or undefined if `read` omits the record. */
  async function readAlone(name: string, document: Document): Promise<AppRecord | undefined> {
    const { children = [] } = collectionOf(name)
    const lists = children.map(async ({ field, of, key }) => {
      const condition = {
        equal: { [nameOf(collectionOf(of), key)]: document.id },
        includes: {},
        ranges: [],
      }
      const section = { order: orderOf(collectionOf(of)), offset: 0, limit: maxParts }
      const newest = await documents.page(of, condition, section)
      const parts = await read(of, newest.documents.toReversed(), key)
      return { [field]: parts, [`${field}Total`]: newest.total }
    })
    const [[record], ...parts] = await Promise.all([read(name, [document]), ...lists])
    return record && Object.assign(record, ...parts)
  }

  async function summariesFor(records: readonly AppRecord[], { key, to, as, label }: Reference) {
    const ids = distinct(records.flatMap((record) => record[key] ?? []))
    const names = label === undefined ? [] : [nameOf(collectionOf(to), label)]
    const found = await documents.read(to, ids, { names })
    const summaries = found.map((document) => {
      const [shown] = names.map((name) => document[name])
      return [document.id, { id: document.id, ...(label && { [label]: shown }) }] as const
    })
    const byId = new Map<unknown, object>(summaries)
    return (record: AppRecord) => [as, byId.get(record[key]) ?? null]
  }

  async function listsFor(records: readonly AppRecord[], { field, to }: Many) {
    const ids = distinct(records.flatMap((record) => record[field]))
    const targets = await read(to, await documents.read(to, ids))
    return (record: AppRecord) => {
      const linked = new Set(idsIn(record[field]))
      return [field, targets.filter(({ id }) => linked.has(id))]
    }
  }

  return { read, readAlone }
}

function distinct(ids: readonly unknown[]): number[] {
  return [...new Set(idsIn(ids))]
}

function idsIn(value: unknown): number[] {
  return value as number[]
}
