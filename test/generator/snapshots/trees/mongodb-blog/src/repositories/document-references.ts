import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../domain/app-error.js'
import type { Many } from '../infra/collection.js'
import { collectionOf } from './document-schema.js'
import type { DocumentStore } from './document-store.js'

/** A mark that stays for so long was left by a process that ended before it removed what it had marked. */
const patience = { forMs: 5_000, everyMs: 20 }

/** What a record refers to, and the ids of what it is linked to. */
export function createReferences(documents: DocumentStore) {
  /**
   * Makes sure that what a record refers to is there and stays. A write asks twice: before it, and after it, for
   * who removes a record first marks it and then looks for what refers to it. Throws AppError `not-found`.
   */
  async function assertFound(name: string, record: object): Promise<void> {
    const values: Record<string, unknown> = { ...record }
    for (const { key, to } of collectionOf(name).references ?? []) {
      const id = values[key]
      if (typeof id !== 'number' || (await isThere(to, id))) continue
      throw new AppError('not-found', `${collectionOf(to).words} not found`)
    }
  }

  /** Whether a record is there once a removal of it that has begun is over, one way or the other. */
  async function isThere(name: string, id: number): Promise<boolean> {
    const deadline = performance.now() + patience.forMs
    for (;;) {
      const marks = await documents.marks(name, [id])
      const mark = marks.get(id)
      if (mark === undefined) return marks.has(id)
      if (performance.now() > deadline) await documents.unmark(name, [id], [mark])
      else await pause(patience.everyMs)
    }
  }

  /** Whether changes name other records. */
  function areIn(name: string, changes: object): boolean {
    const { references = [], many = [] } = collectionOf(name)
    return [...references.map(({ key }) => key), ...many.map(({ field }) => field)].some(
      (key) => key in changes,
    )
  }

  /** The draft with ids for the keys of its links. Throws AppError `invalid`, which names those that no record has. */
  async function linked(name: string, draft: object): Promise<object> {
    const values: Record<string, unknown> = { ...draft }
    for (const relation of collectionOf(name).many ?? []) {
      const keys = values[relation.field]
      if (Array.isArray(keys)) values[relation.field] = await idsOf(relation, keys)
    }
    return values
  }

  async function idsOf(relation: Many, keys: readonly unknown[]): Promise<number[]> {
    const { name, key } = relation
    const found = await find(relation, keys)
    const known = new Set(found.map((document) => document[key]))
    const unknown = keys.filter((each) => !known.has(each))
    if (unknown.length === 0) return found.map(({ id }) => id)
    const message = `names unknown records: ${unknown.join(', ')}`
    throw new AppError('invalid', 'validation failed', { details: [{ path: name, message }] })
  }

  /** What is linked by these keys. */
  async function find({ to, key }: Many, keys: readonly unknown[]) {
    if (keys.length === 0) return []
    if (key === 'slug') return documents.readBy(to, key, keys, { names: [key] })
    return documents.read(to, keys as number[], { names: [] })
  }

  /** Of what is linked by this key. */
  async function idOf(relation: Many, key: unknown): Promise<number | undefined> {
    const [found] = await find(relation, [key])
    return found?.id
  }

  return { assertFound, isThere, areIn, linked, idOf }
}
