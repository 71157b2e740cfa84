import { randomUUID } from 'node:crypto'
import { AppError } from '../domain/app-error.js'
import { linkedTo, referringTo } from './document-schema.js'
import type { DocumentStore } from './document-store.js'

/** Records of one collection that fall together, and the marks that say so. */
interface Level {
  collection: string
  ids: readonly number[]
  marks: readonly string[]
}

/**
 * Removes a record and what falls with it; says whether there was such a record. Throws AppError `conflict` where
 * others refer to any of them.
 *
 * All are marked first. From then on, who refers to one of them waits and sees it gone (document-references.ts);
 * who wrote before is found here. Where a mark is lost meanwhile, all is tried again.
 */
export function createRemoval(documents: DocumentStore) {
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

  async function markLevel(collection: string, ids: readonly number[]): Promise<Level> {
    if (ids.length === 0) return { collection, ids, marks: [] }
    await documents.mark(collection, ids, randomUUID())
    const marks = await documents.marks(collection, ids)
    const kept = [...marks.values()].filter((mark) => mark !== undefined)
    return { collection, ids: [...marks.keys()], marks: [...new Set(kept)] }
  }

  /** What falls with the records of a level; who gives a part to another record looks for its mark afterwards. */
  async function markParts({ collection, ids }: Level): Promise<Level[]> {
    const parts = referringTo(collection, { cascade: true }).map(async (part) => {
      const find = () =>
        documents.readBy(part.collection, part.name, ids, { names: [], fresh: true })
      const level = await markLevel(
        part.collection,
        (await find()).map(({ id }) => id),
      )
      if (level.ids.length === 0) return level
      const still = new Set((await find()).map(({ id }) => id))
      const moved = level.ids.filter((id) => !still.has(id))
      if (moved.length > 0) await documents.unmark(part.collection, moved, level.marks)
      return { ...level, ids: level.ids.filter((id) => still.has(id)) }
    })
    return Promise.all(parts)
  }

  /** By others than those that fall too. */
  async function isHeld(levels: readonly Level[]): Promise<boolean> {
    const falling = new Map<string, Set<number>>()
    for (const { collection, ids } of levels) {
      falling.set(collection, new Set([...(falling.get(collection) ?? []), ...ids]))
    }
    const answers = levels.flatMap(({ collection, ids }) =>
      referringTo(collection, { cascade: false }).map(async (holder) => {
        const fallen = falling.get(holder.collection) ?? new Set()
        const options = { names: [holder.name], limit: fallen.size + 1, fresh: true } as const
        const found = await documents.readBy(holder.collection, holder.name, ids, options)
        return found.some(({ id }) => !fallen.has(id))
      }),
    )
    return (await Promise.all(answers)).includes(true)
  }

  /** False where one has lost its mark, or is gone. What is broken off leaves nothing that refers to nothing. */
  async function removeAll(levels: readonly Level[]): Promise<boolean> {
    for (const { collection, ids, marks } of holdersFirst(levels.toReversed())) {
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
      if (await isHeld(levels)) {
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

/** The same levels; one that is held by another comes after it. */
function holdersFirst(levels: readonly Level[]): Level[] {
  const left = [...levels]
  const sorted: Level[] = []
  while (left.length > 0) {
    const at = left.findIndex(({ collection }) => {
      const holders = referringTo(collection, { cascade: false }).map((holder) => holder.collection)
      return !left.some(
        (other) => other.collection !== collection && holders.includes(other.collection),
      )
    })
    sorted.push(...left.splice(Math.max(at, 0), 1))
  }
  return sorted
}
