import { AppError } from '../domain/app-error.js'
import { createDocuments } from '../infra/documents.js'
import { retryConflicts } from '../infra/requests.js'
import type { Store } from '../infra/store.js'
import { createUniqueValues, has, type Value } from '../infra/unique-values.js'
import type { Fields, StoredDocument, Write } from '../infra/writes.js'
import type { Document } from './document-store.js'
import { hasValues, toFields, withoutNulls } from './elasticsearch-fields.js'

/** Searches find the write as soon as the call returns. */
const searchable = { isSearchable: true }

/**
 * Creates the functions that write records of a collection and the claims of their unique values. A write compares
 * versions: if another write was first, the record is read again.
 */
export function createRecords(store: Store, collection: string) {
  const documents = createDocuments(store.client, store.indexOf(collection))
  const unique = createUniqueValues(store, collection)

  async function insert(document: Document): Promise<void> {
    const { id } = document
    const fields = withoutNulls(toFields(collection, document))
    const values = unique.valuesOf(fields)
    const claims = await unique.claim(values, id)
    const [written] = await documents.write(
      [{ kind: 'create', id: String(id), fields }],
      searchable,
    )
    if (!written) {
      await unique.release(claims)
      throw new Error(`record ${id} of ${collection} already exists`)
    }
    if (await unique.settle(values, id)) return
    await remove([id])
    throw conflictOn(values)
  }

  /**
   * Changes a record that still has the values of `expected`. Returns undefined if the record is
   * missing or has other values.
   */
  async function update(id: number, changes: Fields, expected: Fields) {
    const { updated } = await retryConflicts(async () => {
      const [stored] = await documents.get([String(id)])
      if (!stored || !hasValues(stored.fields, toFields(collection, expected)))
        return { updated: undefined }
      const before = stored.fields
      const after = withoutNulls({ ...before, ...toFields(collection, changes) })
      return (await replace(stored, after)) && { updated: { before, after } }
    })
    return updated
  }

  /** Replaces a record. Returns undefined after a version conflict. */
  async function replace(
    stored: StoredDocument,
    fields: Fields,
  ): Promise<StoredDocument | undefined> {
    const id = Number(stored.id)
    const values = unique.valuesOf(fields).filter((value) => !has(stored.fields, value))
    const dropped = unique.valuesOf(stored.fields).filter((value) => !has(fields, value))
    const claims = await unique.claim(values, id)
    const old = await unique.claimsOf(dropped, [id])
    const [written] = await documents.write([{ kind: 'replace', stored, fields }], searchable)
    if (!written) await unique.release(claims)
    else if (await unique.settle(values, id)) await unique.release(old)
    else {
      await restoreValues(stored, values)
      throw conflictOn(values)
    }
    return written
  }

  /**
   * Restores the previous values, because another write waited too long and took over the claims of
   * the new values.
   */
  async function restoreValues(
    { id, fields: before }: StoredDocument,
    values: readonly Value[],
  ): Promise<void> {
    const old = Object.fromEntries(
      values.flatMap(({ names }) => names).map((name) => [name, before[name] ?? null]),
    )
    const isWritten = (fields: Fields) => values.some((value) => has(fields, value))
    const change = (fields: Fields) =>
      isWritten(fields) ? withoutNulls({ ...fields, ...toFields(collection, old) }) : undefined
    await documents.rewrite([id], change, searchable)
  }

  /**
   * Removes the records for which `shouldRemove` returns true, and returns their number. `names` are the fields that
   * `shouldRemove` needs; all fields by default.
   */
  async function remove(
    ids: readonly number[],
    shouldRemove: (fields: Fields) => boolean = () => true,
    names?: readonly string[],
  ): Promise<number> {
    const needed = names && { _source_includes: [...names, ...unique.groups.flat()] }
    let left = ids.map(String)
    let count = 0
    await retryConflicts(async () => {
      const found = (await documents.get(left, needed)).filter(({ fields }) => shouldRemove(fields))
      const values = found.flatMap(({ fields }) => unique.valuesOf(fields))
      const claims = await unique.claimsOf(
        values,
        found.map(({ id }) => Number(id)),
      )
      const writes = found.map((stored): Write => ({ kind: 'remove', stored }))
      const written = await documents.write(writes, searchable)
      const removed = new Set<unknown>(written.flatMap((each) => (each ? Number(each.id) : [])))
      await unique.release(claims.filter(({ fields }) => removed.has(fields.owner)))
      count += removed.size
      left = found.filter((_, at) => !written[at]).map(({ id }) => id)
      return left.length === 0 ? {} : undefined
    })
    return count
  }

  return { insert, update, remove }
}

function conflictOn([value]: readonly Value[]): AppError {
  return new AppError('conflict', `${value?.names.join(' + ')} is already taken`)
}
