import { randomUUID } from 'node:crypto'
import { AppError } from '../domain/app-error.js'
import { foldText } from '../domain/fold-text.js'
import { searchName } from '../infra/collection.js'
import type { Store } from '../infra/store.js'
import { toDocument } from './document-fields.js'
import { orderOf, rangesOf } from './document-order.js'
import { createOwners } from './document-owners.js'
import { createReader } from './document-reader.js'
import { createReferences } from './document-references.js'
import { createRemoval } from './document-removal.js'
import { collectionOf } from './document-schema.js'
import type { Condition, Document } from './document-store.js'
import { createUndo } from './document-undo.js'
import { createDocumentStore } from './mongodb.js'
import type { Check, Page, Repository, Stored } from './repository.js'

interface Owners {
  /** Returns the id of a record's owner without reading the record. Undefined if the record does not exist. */
  owner(id: number): Promise<number | undefined>
}

type Fields = Readonly<Record<string, unknown>>

/** Attempts of a write after a check. */
const maxTurns = 200

/** Creates the repository of a collection of src/infra/schema.ts. */
export function createRepository<Row extends Stored, Draft, Filter, Details extends Row>(
  store: Store,
  name: string,
): Repository<Row, Draft, Filter, Details> & Owners {
  const documents = createDocumentStore(store)
  const reader = createReader(documents)
  const references = createReferences(documents)
  const remove = createRemoval(documents)
  const undo = createUndo(documents, name)
  const collection = collectionOf(name)
  const owners = createOwners(documents)
  const unmarked = { [documents.markName]: null }

  /**
   * Returns the condition of a filter. Undefined if the filter names a missing record: no record
   * matches.
   */
  async function conditionOf(filter: Record<string, unknown>): Promise<Condition | undefined> {
    const { fields, many = [] } = collection
    const equal = Object.entries(fields)
      .filter(([key, field]) => field.filter && filter[key] !== undefined)
      .map(([key, field]) => [field.name, filter[key]])
    const includes: Record<string, number> = {}
    for (const relation of many) {
      const key = filter[relation.filter]
      if (key === undefined) continue
      const id = await references.linkId(relation, key)
      if (id === undefined) return undefined
      includes[relation.name] = id
    }
    const names = Object.values(collection.fields)
      .filter(({ search }) => search)
      .map(searchName)
    const text = typeof filter.search === 'string' ? foldText(filter.search) : undefined
    const isSearched = names.length > 0 && text !== undefined
    return {
      equal: Object.fromEntries(equal),
      among: await owners.among(name, filter.visibleTo),
      includes,
      ranges: rangesOf(collection, filter),
      ...(isSearched && { contains: { names, text } }),
    }
  }

  async function toRow(document: Document): Promise<Row | undefined> {
    const [record] = await reader.read(name, [document])
    return record as Stored | undefined as Row | undefined
  }

  /**
   * Checks a record, and writes it only if no other write came since: `expected` are its stored values. Otherwise
   * starts again. `write` returns undefined if the record has other values.
   */
  async function whileUnchanged<T>(
    id: number,
    check: Check<Row>,
    write: (expected: Fields) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const { fields, many = [] } = collection
    const names = ['updated_at', ...[...Object.values(fields), ...many].map((field) => field.name)]
    for (let turn = 0; turn < maxTurns; turn++) {
      const [document] = await documents.read(name, [id])
      const row = document && (await toRow(document))
      if (!row) return undefined
      check(row)
      const written = await write(
        Object.fromEntries(names.map((each) => [each, document[each] ?? null])),
      )
      if (written !== undefined) return written
      await references.exists(name, id)
    }
    throw new AppError('unavailable', 'too many concurrent writes of the record, try again')
  }

  /** Checks the references of a written record. Reverts the write and throws if a referenced record was removed. */
  async function assertStillFound(record: object, revert: () => Promise<unknown>): Promise<void> {
    try {
      await references.assertFound(name, record)
    } catch (error) {
      await revert()
      throw error
    }
  }

  async function update(id: number, changes: object, expected?: Fields): Promise<Row | undefined> {
    const hasReferences = references.areIncluded(name, changes)
    const isMissing =
      hasReferences && (await documents.read(name, [id], { names: [] })).length === 0
    if (isMissing) return undefined
    await references.assertFound(name, changes)
    const record = toDocument(collection, await references.withLinkIds(name, changes))
    const updated = await documents.update(name, id, record, expected)
    if (!updated) return undefined
    const row = await toRow(updated.after)
    if (!hasReferences) return row
    await assertStillFound(changes, () => undo(updated.before, record))
    // The removal of the previous target may have cascaded to this record.
    return (await references.exists(name, id)) ? row : undefined
  }

  return {
    async list({ page, pageSize, sort, after, ...filter }: Page & Filter) {
      const condition = await conditionOf(filter)
      if (!condition) return { rows: [], total: 0, hasMore: false }
      const found = await documents.page(name, condition, {
        order: orderOf(collection, sort),
        after: after && [...after.values, after.id],
        offset: (page - 1) * pageSize,
        limit: pageSize + 1,
      })
      const records = await reader.read(name, found.documents.slice(0, pageSize))
      const hasMore = found.documents.length > pageSize
      return { rows: records as Stored[] as Row[], total: found.total, hasMore }
    },

    async find(id) {
      const [found] = await documents.read(name, [id])
      const record = found && (await reader.readAlone(name, found))
      return record as Stored | undefined as Details | undefined
    },

    owner: (id) => owners.find(name, id, collection.owner),

    async create(draft) {
      await references.assertFound(name, draft)
      const record = toDocument(collection, await references.withLinkIds(name, draft))
      const document = { id: await documents.takeId(name), ...record }
      await documents.insert(name, document)
      const row = await toRow(document)
      await assertStillFound(draft, () => remove(name, document.id))
      if (!row)
        throw new Error(`record ${document.id} of ${name} could not be read after it was created`)
      return row
    },

    update(id, changes, check) {
      if (!check) return update(id, changes)
      return whileUnchanged(id, check, (expected) =>
        update(id, changes, { ...expected, ...unmarked }),
      )
    },

    async remove(id, check) {
      const mark = (expected: Fields) =>
        documents.update(
          name,
          id,
          { [documents.markName]: randomUUID() },
          { ...expected, ...unmarked },
        )
      // The mark prevents checked writes from now on. The removal then finds the record marked.
      const isMarked = !check || (await whileUnchanged(id, check, mark)) !== undefined
      return isMarked && remove(name, id)
    },
  }
}
