import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../domain/app-error.js'
import { uniqueGroups } from '../infra/collection.js'
import { collectionOf } from './document-schema.js'
import type { Document, DocumentStore } from './document-store.js'

type Fields = Readonly<Record<string, unknown>>

/**
 * Creates the function that reverts a write. The function restores the previous value of each field
 * that still has the written value. A unique field keeps the written value if another record has
 * taken the previous value since.
 */
export function createUndo(documents: DocumentStore, name: string) {
  const unique = new Set(uniqueGroups(collectionOf(name)).flat())

  async function undo(before: Document, changes: Fields): Promise<void> {
    const { id } = before
    for (;;) {
      const [current] = await documents.read(name, [id])
      const left = Object.keys(changes).filter((each) => isSame(current?.[each], changes[each]))
      if (!current || left.length === 0) return
      try {
        if (await documents.update(name, id, pickFields(before, left), pickFields(changes, left)))
          return
      } catch (error) {
        const others = left.filter((each) => !unique.has(each))
        const isTaken = error instanceof AppError && error.kind === 'conflict'
        if (!isTaken || others.length === left.length) throw error
        return undo(before, pickFields(changes, others))
      }
    }
  }

  return undo
}

/** Treats a missing field as NULL. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null)
}

function pickFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
}
