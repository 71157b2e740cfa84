import { AppError } from '../domain/app-error.js'
import type { Store } from '../infra/store.js'
import { fromDocument, toDocument } from './document-fields.js'
import { orderOf, rangesOf } from './document-order.js'
import { collectionOf } from './document-schema.js'
import type { Condition, Document } from './document-store.js'
import { createDocumentStore } from './dynamodb.js'
import type { Check, Page, Repository, Stored } from './repository.js'

type Fields = Readonly<Record<string, unknown>>

/** Attempts of a write after a check. */
const maxTurns = 200

/** Creates the repository of a collection of src/infra/schema.ts. */
export function createRepository<Row extends Stored, Draft, Filter, Details extends Row>(
  store: Store,
  name: string,
): Repository<Row, Draft, Filter, Details> {
  const documents = createDocumentStore(store)
  const collection = collectionOf(name)

  function conditionOf(filter: Record<string, unknown>): Condition {
    const fields = Object.entries(collection.fields)
    const equal = fields
      .filter(([key, field]) => field.filter && filter[key] !== undefined)
      .map(([key, field]) => [field.name, filter[key]])
    return {
      equal: Object.fromEntries(equal),
      ranges: rangesOf(collection, filter),
    }
  }

  function toRow(document: Document): Details {
    return fromDocument(collection, document) as Stored as Details
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
    const names = ['updated_at', ...Object.values(collection.fields).map((field) => field.name)]
    for (let turn = 0; turn < maxTurns; turn++) {
      const [document] = await documents.read(name, [id])
      if (!document) return undefined
      check(toRow(document))
      const written = await write(
        Object.fromEntries(names.map((each) => [each, document[each] ?? null])),
      )
      if (written !== undefined) return written
    }
    throw new AppError('unavailable', 'too many concurrent writes of the record, try again')
  }

  return {
    async list({ page, pageSize, sort, after, ...filter }: Page & Filter) {
      const found = await documents.page(name, conditionOf(filter), {
        order: orderOf(collection, sort),
        after: after && [...after.values, after.id],
        offset: (page - 1) * pageSize,
        limit: pageSize + 1,
      })
      const rows = found.documents.slice(0, pageSize).map(toRow)
      return { rows, total: found.total, hasMore: found.documents.length > pageSize }
    },

    async find(id) {
      const [found] = await documents.read(name, [id])
      return found && toRow(found)
    },

    async create(draft) {
      const document = { id: await documents.takeId(name), ...toDocument(collection, draft) }
      await documents.insert(name, document)
      return toRow(document)
    },

    async update(id, changes, check) {
      const write = async (expected?: Fields) => {
        const updated = await documents.update(name, id, toDocument(collection, changes), expected)
        return updated && toRow(updated.after)
      }
      return check ? whileUnchanged(id, check, write) : write()
    },

    async remove(id, check) {
      if (!check) return documents.remove(name, id)
      const removal = async (expected: Fields) =>
        (await documents.remove(name, id, expected)) || undefined
      return (await whileUnchanged(id, check, removal)) ?? false
    },
  }
}
