import { type Many, nameOf, type Reference } from '../infra/collection.js'
import { type Entry, fromDocument } from './document-fields.js'
import { collectionOf } from './document-schema.js'
import type { Document, DocumentStore } from './document-store.js'

export type DocumentReader = ReturnType<typeof createReader>

/** Makes records of documents: with what they refer to, in one query for each relation, however many they are. */
export function createReader(documents: DocumentStore) {
  /** In the order of the documents. A record goes with what it can't do without: while it does, it is left out. */
  async function read(name: string, found: readonly Document[]): Promise<Entry[]> {
    if (found.length === 0) return []
    const collection = collectionOf(name)
    const { fields, references = [], many = [] } = collection
    const entries = found.map((document) => fromDocument(collection, document))
    const parts = await Promise.all([
      ...references.map((reference) => summariesFor(entries, reference)),
      ...many.map((relation) => listsFor(entries, relation)),
    ])
    const isWhole = (entry: Entry) =>
      references.every(({ key, as }) => fields[key]?.optional || entry[as] !== null)
    return entries
      .map((entry) => ({ ...entry, ...Object.fromEntries(parts.map((part) => part(entry))) }))
      .filter(isWhole)
  }

  /** One record, with the lists that are read with it alone. */
  async function readAlone(name: string, document: Document): Promise<Entry | undefined> {
    const { children = [] } = collectionOf(name)
    const lists = children.map(async ({ field, of, key }) => {
      const found = await documents.readBy(of, nameOf(collectionOf(of), key), [document.id])
      return [field, await read(of, found)]
    })
    const [[entry], ...parts] = await Promise.all([read(name, [document]), ...lists])
    return entry && { ...entry, ...Object.fromEntries(parts) }
  }

  async function summariesFor(entries: readonly Entry[], { key, to, as, label }: Reference) {
    const ids = distinct(entries.flatMap((entry) => entry[key] ?? []))
    const names = label === undefined ? [] : [nameOf(collectionOf(to), label)]
    const found = await documents.read(to, ids, { names })
    const summaries = found.map((document) => {
      const [shown] = names.map((name) => document[name])
      return [document.id, { id: document.id, ...(label && { [label]: shown }) }] as const
    })
    const byId = new Map<unknown, object>(summaries)
    return (entry: Entry) => [as, byId.get(entry[key]) ?? null]
  }

  async function listsFor(entries: readonly Entry[], { field, to }: Many) {
    const ids = distinct(entries.flatMap((entry) => entry[field]))
    const records = await read(to, await documents.read(to, ids))
    return (entry: Entry) => {
      const linked = new Set(idsIn(entry[field]))
      return [field, records.filter(({ id }) => linked.has(id))]
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
