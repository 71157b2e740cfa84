import { AppError } from '../domain/app-error.js'
import { type Collection, uniqueGroups } from './collection.js'
import { createDocuments } from './documents.js'
import { createFiller } from './fill-fields.js'
import type { Store } from './store.js'
import { createUniqueValues } from './unique-values.js'
import type { Fields } from './writes.js'

/**
 * Updates the records to the collection's fields, and claims the values of newly unique fields. `before` is the
 * collection as of the app's previous start. Throws if a record does not fit.
 */
export async function fillRecords(
  store: Pick<Store, 'client' | 'indexOf'>,
  name: string,
  collection: Collection,
  before: Collection | undefined,
): Promise<void> {
  const documents = createDocuments(store.client, store.indexOf(name))
  const fill = createFiller(name, collection, before)
  const unique = createUniqueValues(store, name)
  const known = new Set(uniqueGroups(before ?? { fields: {} }).map(String))

  async function claim(fields: Fields): Promise<void> {
    const id = Number(fields.id)
    const values = unique.valuesOf(fields).filter((value) => !known.has(String(value.names)))
    try {
      await unique.claim(values, id)
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'conflict')) throw error
      throw new Error(
        `record ${id} of ${name} shares a unique value: ${error.message}: change one of the records`,
      )
    }
    await unique.settle(values, id)
  }

  await documents.refresh()
  for await (const batch of documents.search({ match_all: {} }, { _source_includes: ['id'] })) {
    const ids = batch.map(({ id }) => id)
    await documents.rewrite(ids, fill)
    if (unique.groups.every((names) => known.has(String(names)))) continue
    const needed = { _source_includes: ['id', ...unique.groups.flat()] }
    for (const { fields } of await documents.get(ids, needed)) await claim(fields)
  }
  await documents.refresh()
}
