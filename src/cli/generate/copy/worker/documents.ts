import { type CopiedRecord, differingNames } from '../../../../generator/copy/copied-record.ts'
import { type AppRecord, fromCopied, toCopied } from './convert.ts'
import { type AnyStore, countersOf } from './document-counters.ts'
import type { WorkerSettings } from './messages.ts'
import { importFrom, type OpenedStore } from './opened-store.ts'
import { findCollection, omit, pick } from './relational.ts'

interface Document {
  readonly id: number
  readonly [name: string]: unknown
}

/** The parts of an emitted document store that a copy uses. */
interface DocumentStore {
  insert(collection: string, document: Document): Promise<void>
  update(collection: string, id: number, changes: object): Promise<unknown>
  remove(collection: string, id: number): Promise<unknown>
  read(collection: string, ids: readonly number[]): Promise<Document[]>
  page(collection: string, condition: object, section: object): Promise<{ documents: Document[] }>
}

/** The conversions of the project, which know its `src/infra/schema.ts`. */
interface DocumentFields {
  toDocument(collection: unknown, record: object): Record<string, unknown>
  fromDocument(collection: unknown, document: Document): AppRecord
}

/** Writes of one batch at the same time. */
const concurrency = 8

/**
 * Opens a document store with the project's own functions, which write the claims of unique values, the entries of
 * indexes and the texts of searches together with a record.
 */
export async function openDocuments(settings: WorkerSettings): Promise<OpenedStore> {
  const { root, kind, databaseUrl, collections } = settings
  const { openStore } = await importFrom<{ openStore: (url: string) => Promise<AnyStore> }>(
    root,
    'src/infra/store.ts',
    ['openStore'],
  )
  const { createDocumentStore } = await importFrom<{
    createDocumentStore: (store: AnyStore) => DocumentStore
  }>(root, `src/repositories/${kind}.ts`, ['createDocumentStore'])
  const { toDocument, fromDocument } = await importFrom<DocumentFields>(
    root,
    'src/repositories/document-fields.ts',
    ['toDocument', 'fromDocument'],
  )
  const { schema } = await importFrom<{ schema: Record<string, unknown> }>(
    root,
    'src/infra/schema.ts',
    ['schema'],
  )
  const store = await openStore(databaseUrl)
  const documents = createDocumentStore(store)
  const counters = await countersOf(settings, store)

  function toRecords(name: string, found: readonly Document[]): CopiedRecord[] {
    const collection = findCollection(collections, name)
    return found.map((document) => toCopied(collection, fromDocument(schema[name], document)))
  }

  function toStored(name: string, values: Readonly<Record<string, unknown>>) {
    return toDocument(schema[name], fromCopied(findCollection(collections, name), values))
  }

  async function write(
    name: string,
    record: CopiedRecord,
    found: CopiedRecord | undefined,
    without: readonly string[],
  ) {
    const { id } = record
    if (!found) {
      const { many } = findCollection(collections, name)
      const empty = Object.fromEntries(many.map((list) => [list.name, []]))
      await documents.insert(name, {
        id,
        ...toStored(name, { ...empty, ...omit(record, without) }),
      })
      return
    }
    const changes = pick(record, differingNames(record, found), without)
    if (Object.keys(changes).length > 0) await documents.update(name, id, toStored(name, changes))
  }

  return {
    async read(name, after, limit) {
      const ids = await counters.idsAfter?.(name, after, limit)
      if (ids) return toRecords(name, await documents.read(name, ids))
      const order = [{ field: { name: 'id', type: 'uint' }, descending: false }]
      const condition = { equal: {}, includes: {}, ranges: [] }
      const section = { order, after: [after], offset: 0, limit }
      return toRecords(name, (await documents.page(name, condition, section)).documents)
    },

    async write(name, records, without) {
      const found = toRecords(
        name,
        await documents.read(
          name,
          records.map(({ id }) => id),
        ),
      )
      const byId = new Map(found.map((record) => [record.id, record]))
      for (let from = 0; from < records.length; from += concurrency) {
        const some = records.slice(from, from + concurrency)
        await Promise.all(
          some.map((record) =>
            write(name, record, byId.get(record.id), without).catch((cause: unknown) => {
              throw new Error(`${name}: record ${record.id} can't be written`, { cause })
            }),
          ),
        )
      }
    },

    async remove(name, ids) {
      for (const id of ids) await documents.remove(name, id)
    },

    lastId: (name) => counters.lastId(name),
    raiseLastId: (name, id) => counters.raiseLastId(name, id),
    foreign: async () => [],
    async close() {
      await store.close()
    },
  }
}
