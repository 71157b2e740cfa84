import { foldText } from '../domain/fold-text.js'
import { searchName } from '../infra/collection.js'
import type { Store } from '../infra/store.js'
import { toDocument, toSeen } from './document-fields.js'
import { createReader } from './document-reader.js'
import { createReferences } from './document-references.js'
import { createRemoval } from './document-removal.js'
import { collectionOf } from './document-schema.js'
import type { Condition, Document } from './document-store.js'
import { createUndo } from './document-undo.js'
import { createDocumentStore } from './mongodb.js'
import type { Page, Repository, Stamps, Stored } from './repository.js'

export interface SeenUpdates<Row, Draft> {
  /** Like `update`, of a record that is still as it was seen; undefined where it is not. */
  updateSeen(id: number, seen: Partial<Draft>, changes: Changes<Draft>): Promise<Row | undefined>
}

type Changes<Draft> = Partial<Draft> & Pick<Stamps, 'updatedAt'>

/** The repository of one collection; src/infra/schema.ts says all that is particular to it. */
export function createRepository<Row extends Stored, Draft, Filter, Details extends Row>(
  store: Store,
  name: string,
): Repository<Row, Draft, Filter, Details> & SeenUpdates<Row, Draft> {
  const documents = createDocumentStore(store)
  const reader = createReader(documents)
  const references = createReferences(documents)
  const remove = createRemoval(documents)
  const undo = createUndo(documents, name)
  const collection = collectionOf(name)

  /** Undefined where nothing can match. */
  async function conditionOf(filter: Record<string, unknown>): Promise<Condition | undefined> {
    const { fields, many = [] } = collection
    const equal = Object.entries(fields)
      .filter(([key, field]) => field.filter && filter[key] !== undefined)
      .map(([key, field]) => [field.name, filter[key]])
    const includes: Record<string, number> = {}
    for (const relation of many) {
      const key = filter[relation.filter]
      if (key === undefined) continue
      const id = await references.idOf(relation, key)
      if (id === undefined) return undefined
      includes[relation.name] = id
    }
    const names = Object.values(fields)
      .filter(({ search }) => search)
      .map(searchName)
    const text = typeof filter.search === 'string' ? foldText(filter.search) : undefined
    const isSearched = names.length > 0 && text !== undefined
    return {
      equal: Object.fromEntries(equal),
      includes,
      ...(isSearched && { contains: { names, text } }),
    }
  }

  async function toRow(document: Document): Promise<Row | undefined> {
    const [entry] = await reader.read(name, [document])
    return entry as Stored | undefined as Row | undefined
  }

  /** Asks for what a record refers to once more, now that it is written; where that is gone, takes it back. */
  async function assertStill(record: object, takeBack: () => Promise<unknown>): Promise<void> {
    try {
      await references.assertFound(name, record)
    } catch (error) {
      await takeBack()
      throw error
    }
  }

  async function update(id: number, seen: object, changes: object): Promise<Row | undefined> {
    const refers = references.areIn(name, changes)
    const isMissing = refers && (await documents.read(name, [id], { names: [] })).length === 0
    if (isMissing) return undefined
    await references.assertFound(name, changes)
    const record = toDocument(collection, await references.linked(name, changes))
    const updated = await documents.update(name, id, record, toSeen(collection, seen))
    if (!updated) return undefined
    const row = await toRow(updated.after)
    if (!refers) return row
    await assertStill(changes, () => undo(updated.before, record))
    // It may have fallen with what it referred to before.
    return (await references.isThere(name, id)) ? row : undefined
  }

  return {
    async list({ page, pageSize, ...filter }: Page & Filter) {
      const condition = await conditionOf(filter)
      if (!condition) return { rows: [], total: 0 }
      const found = await documents.page(name, condition, { page, pageSize })
      const entries = await reader.read(name, found.documents)
      return { rows: entries as Stored[] as Row[], total: found.total }
    },

    async find(id) {
      const [found] = await documents.read(name, [id])
      const entry = found && (await reader.readAlone(name, found))
      return entry as Stored | undefined as Details | undefined
    },

    async create(draft) {
      await references.assertFound(name, draft)
      const record = toDocument(collection, await references.linked(name, draft))
      const document = { id: await documents.takeId(name), ...record }
      await documents.insert(name, document)
      const row = await toRow(document)
      await assertStill(draft, () => remove(name, document.id))
      if (!row) throw new Error(`what ${name} ${document.id} refers to is back again`)
      return row
    },

    update: (id, changes) => update(id, {}, changes),
    updateSeen: (id, seen, changes) => update(id, seen, changes),
    remove: (id) => remove(name, id),
  }
}
