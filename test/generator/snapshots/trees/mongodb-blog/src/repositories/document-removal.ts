import { randomUUID } from 'node:crypto'
import { AppError } from '../domain/app-error.js'
import { linkedTo, referringTo } from './document-schema.js'
import type { DocumentStore } from './document-store.js'

/**
 * Marked records of one collection. `marks` are their marks: several marks if two removals overlap.
 */
interface Level {
  collection: string
  ids: readonly number[]
  marks: readonly string[]
}

/**
 * Creates the function that removes a record and its parts: the records that refer to it with `cascade`, their
 * parts, and so on. The function returns false if the record does not exist. The function throws AppError `conflict`
 * if other records refer to the record or to a part.
 *
 * The store checks no references, and a MongoDB without a replica set has no transactions. So a removal has four steps:
 * 1. Mark the record and its parts. A mark says that a removal is in progress.
 * 2. Search for unmarked records that refer to a marked record. If any exist, take the marks off and throw `conflict`.
 * 3. Remove the marked records: first the referring ones, so that an interruption leaves no dangling reference.
 * 4. Take the ids of the removed records out of all many-to-many lists.
 *
 * A concurrent write cannot refer to a removed record. The write stores its reference and then looks for a mark
 * (document-references.ts); the removal sets the mark and then searches for references. So the write sees the
 * removal, or the removal sees the write. If a record has lost its mark in step 3, because a write took off a mark that
 * looked stale, the removal starts again.
 */
export function createRemoval(documents: DocumentStore) {
  /** Marks a record and its parts. Returns them level by level; no level if the record does not exist. */
  async function markAll(collection: string, id: number): Promise<Level[]> {
    const levels: Level[] = []
    const found = new Set<string>()
    let next = [await markLevel(collection, [id])]
    for (;;) {
      const level = next.map((each) => {
        const ids = each.ids.filter((id) => !found.has(`${each.collection} ${id}`))
        for (const id of ids) found.add(`${each.collection} ${id}`)
        return { ...each, ids }
      })
      const marked = level.filter(({ ids }) => ids.length > 0)
      if (marked.length === 0) return levels
      levels.push(...marked)
      next = (await Promise.all(marked.map(markParts))).flat()
    }
  }

  /** Marks the existing records of these ids. A record keeps the mark of another removal. */
  async function markLevel(collection: string, ids: readonly number[]): Promise<Level> {
    if (ids.length === 0) return { collection, ids, marks: [] }
    await documents.mark(collection, ids, randomUUID())
    const marks = await documents.marks(collection, ids)
    const values = [...marks.values()].filter((mark) => mark !== undefined)
    return { collection, ids: [...marks.keys()], marks: [...new Set(values)] }
  }

  /**
   * Marks the parts of a level. Then searches again, and unmarks a part that a concurrent write has
   * moved to another record. A later write finds the mark.
   */
  async function markParts({ collection, ids }: Level): Promise<Level[]> {
    const parts = referringTo(collection, { cascade: true }).map(async (part) => {
      const find = () =>
        documents.readBy(part.collection, part.name, ids, { names: [], fresh: true })
      const level = await markLevel(
        part.collection,
        (await find()).map(({ id }) => id),
      )
      if (level.ids.length === 0) return level
      const current = new Set((await find()).map(({ id }) => id))
      const moved = level.ids.filter((id) => !current.has(id))
      if (moved.length > 0) await documents.unmark(part.collection, moved, level.marks)
      return { ...level, ids: level.ids.filter((id) => current.has(id)) }
    })
    return Promise.all(parts)
  }

  /** Returns true if an unmarked record refers to a marked record without `cascade`. */
  async function hasOtherReferences(levels: readonly Level[]): Promise<boolean> {
    const marked = new Map<string, Set<number>>()
    for (const { collection, ids } of levels) {
      marked.set(collection, new Set([...(marked.get(collection) ?? []), ...ids]))
    }
    const answers = levels.flatMap(({ collection, ids }) =>
      referringTo(collection, { cascade: false }).map(async (referrer) => {
        const ignored = marked.get(referrer.collection) ?? new Set()
        const options = { names: [referrer.name], limit: ignored.size + 1, fresh: true } as const
        const found = await documents.readBy(referrer.collection, referrer.name, ids, options)
        return found.some(({ id }) => !ignored.has(id))
      }),
    )
    return (await Promise.all(answers)).includes(true)
  }

  /**
   * Removes the marked records, parts first. Returns false if a record has lost its mark or does
   * not exist.
   */
  async function removeAll(levels: readonly Level[]): Promise<boolean> {
    for (const { collection, ids, marks } of referrersFirst(levels.toReversed())) {
      if ((await documents.removeMarked(collection, ids, marks)) < ids.length) return false
    }
    return true
  }

  async function unlink({ collection, ids }: Level): Promise<void> {
    for (const list of linkedTo(collection)) await documents.unlink(list.collection, list.name, ids)
  }

  return async function remove(collection: string, id: number): Promise<boolean> {
    for (;;) {
      const levels = await markAll(collection, id)
      if (levels.length === 0) return false
      if (await hasOtherReferences(levels)) {
        for (const each of levels) await documents.unmark(each.collection, each.ids, each.marks)
        throw new AppError('conflict', 'other records refer to this record')
      }
      if (await removeAll(levels)) {
        for (const each of levels) await unlink(each)
        return true
      }
    }
  }
}

/** Sorts levels so that a level follows the levels that refer to it without `cascade`. */
function referrersFirst(levels: readonly Level[]): Level[] {
  const left = [...levels]
  const sorted: Level[] = []
  while (left.length > 0) {
    const at = left.findIndex(({ collection }) => {
      const referrers = referringTo(collection, { cascade: false }).map((field) => field.collection)
      return !left.some(
        (other) => other.collection !== collection && referrers.includes(other.collection),
      )
    })
    sorted.push(...left.splice(Math.max(at, 0), 1))
  }
  return sorted
}
