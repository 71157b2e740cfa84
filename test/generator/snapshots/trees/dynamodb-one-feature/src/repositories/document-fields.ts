import type { Collection } from '../infra/collection.js'
import type { Document } from './document-store.js'
import type { Stamps, Stored } from './repository.js'

/** A record of any collection, with the field names of the app. */
type AppRecord = Stored & Record<string, unknown>

/** Converts a record, or changes to a record, to stored fields. Omits fields that `record` lacks. */
export function toDocument({ fields }: Collection, record: object): Record<string, unknown> {
  const given: Record<string, unknown> = { ...record }
  const document: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) {
    if (given[key] !== undefined) document[field.name] = given[key]
  }
  const { createdAt, updatedAt } = given
  return {
    ...document,
    ...(createdAt !== undefined && { created_at: createdAt }),
    ...(updatedAt !== undefined && { updated_at: updatedAt }),
  }
}

export function fromDocument({ fields }: Collection, document: Document): AppRecord {
  const { id, created_at, updated_at } = document
  const values = Object.entries(fields).map(([key, field]) => [key, document[field.name] ?? null])
  const stamps = { createdAt: created_at, updatedAt: updated_at } as Stamps
  return { id, ...Object.fromEntries(values), ...stamps }
}
