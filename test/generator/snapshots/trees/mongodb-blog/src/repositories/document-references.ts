import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../domain/app-error.js'
import type { Many } from '../infra/collection.js'
import { collectionOf } from './document-schema.js'
import type { DocumentStore } from './document-store.js'

/** A mark of this age is stale: the process that set it ended before it removed the record. */
const staleMark = { afterMs: 5_000, pollMs: 20 }

/** Creates the checks of references, and the conversion of links from keys to ids. */
export function createReferences(documents: DocumentStore) {
  /**
   * Throws AppError `not-found` if a record refers to a missing record. Waits for removals in
   * progress. A write calls this function before and after it writes. The second call finds a
   * removal that began between the calls: a removal first marks a record, then searches for
   * references to the record (document-removal.ts).
   */
  async function assertFound(name: string, record: object): Promise<void> {
    const values: Record<string, unknown> = { ...record }
    for (const { key, to } of collectionOf(name).references ?? []) {
      const id = values[key]
      if (typeof id !== 'number' || (await exists(to, id))) continue
      throw new AppError('not-found', `${collectionOf(to).words} not found`)
    }
  }

  /** Returns true if the record exists and has no mark. Waits until a removal in progress ends, and removes a stale mark. */
  async function exists(name: string, id: number): Promise<boolean> {
    const deadline = performance.now() + staleMark.afterMs
    for (;;) {
      const marks = await documents.marks(name, [id])
      const mark = marks.get(id)
      if (mark === undefined) return marks.has(id)
      if (performance.now() > deadline) await documents.unmark(name, [id], [mark])
      else await pause(staleMark.pollMs)
    }
  }

  /** Returns true if the changes contain a reference or a list of links. */
  function areIncluded(name: string, changes: object): boolean {
    const { references = [], many = [] } = collectionOf(name)
    return [...references.map(({ key }) => key), ...many.map(({ field }) => field)].some(
      (key) => key in changes,
    )
  }

  /** Returns the draft with ids in place of the keys of its links. Throws AppError `invalid` with the unknown keys. */
  async function withLinkIds(name: string, draft: object): Promise<object> {
    const values: Record<string, unknown> = { ...draft }
    for (const relation of collectionOf(name).many ?? []) {
      const keys = values[relation.field]
      if (Array.isArray(keys)) values[relation.field] = await linkIds(relation, keys)
    }
    return values
  }

  async function linkIds(relation: Many, keys: readonly unknown[]): Promise<number[]> {
    const { name, key } = relation
    const found = await findLinked(relation, keys)
    const known = new Set(found.map((document) => document[key]))
    const unknown = keys.filter((each) => !known.has(each))
    if (unknown.length === 0) return found.map(({ id }) => id)
    const message = `names unknown records: ${unknown.join(', ')}`
    throw new AppError('invalid', 'validation failed', { details: [{ path: name, message }] })
  }

  async function findLinked({ to, key }: Many, keys: readonly unknown[]) {
    if (keys.length === 0) return []
    if (key === 'slug') return documents.readBy(to, key, keys, { names: [key] })
    return documents.read(to, keys as number[], { names: [] })
  }

  /** Returns the id of the record that a link's key names. */
  async function linkId(relation: Many, key: unknown): Promise<number | undefined> {
    const [found] = await findLinked(relation, [key])
    return found?.id
  }

  return { assertFound, exists, areIncluded, withLinkIds, linkId }
}
