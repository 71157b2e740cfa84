import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../domain/app-error.js'
import { collectionOf } from './document-schema.js'
import type { Document, DocumentStore } from './document-store.js'

type Fields = Readonly<Record<string, unknown>>

/**
 * Takes the changes of a record back: each field has again what it had before, but for those that others have
 * changed since. A unique value stays where the one before has been taken meanwhile.
 */
export function createUndo(documents: DocumentStore, name: string) {
  const isUnique = new Map(
    Object.values(collectionOf(name).fields).map((field) => [field.name, field.unique ?? false]),
  )

  async function undo(before: Document, changes: Fields): Promise<void> {
    const { id } = before
    for (;;) {
      const [now] = await documents.read(name, [id])
      const left = Object.keys(changes).filter((each) => isSame(now?.[each], changes[each]))
      if (!now || left.length === 0) return
      try {
        if (await documents.update(name, id, part(before, left), part(changes, left))) return
      } catch (error) {
        const others = left.filter((each) => !isUnique.get(each))
        const isTaken = error instanceof AppError && error.kind === 'conflict'
        if (!isTaken || others.length === left.length) throw error
        return undo(before, part(changes, others))
      }
    }
  }

  return undo
}

/** What is empty may be left out. */
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(one ?? null, other ?? null)
}

function part(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))
}
