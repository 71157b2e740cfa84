import { foldText } from '../domain/fold-text.js'
import { type Collection, searchName } from '../infra/collection.js'
import type { Document } from './document-store.js'
import { fromStored, toStored } from './document-values.js'
import type { Stamps, Stored } from './repository.js'

/** A record of any collection, with the field names of the app. */
export type AppRecord = Stored & Record<string, unknown>

/** Converts a record, or changes to a record, to stored fields, including search texts. */
export function toDocument(collection: Collection, record: object): Record<string, unknown> {
  const given: Record<string, unknown> = { ...record }
  const folded = Object.entries(collection.fields)
    .filter(([key, { search }]) => search && given[key] !== undefined)
    .map(([key, field]) => [searchName(field), foldText(String(given[key] ?? ''))])
  return { ...toStoredFields(collection, record), ...Object.fromEntries(folded) }
}

/** Converts like `toDocument`, without search texts. Omits fields that `record` lacks. */
function toStoredFields(
  { fields, many = [] }: Collection,
  record: object,
): Record<string, unknown> {
  const given: Record<string, unknown> = { ...record }
  const document: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(fields)) {
    if (given[key] !== undefined) document[field.name] = toStored(field, given[key])
  }
  for (const { field, name } of many) {
    if (given[field] !== undefined) document[name] = given[field]
  }
  const { createdAt, updatedAt } = given
  return {
    ...document,
    ...(createdAt !== undefined && { created_at: createdAt }),
    ...(updatedAt !== undefined && { updated_at: updatedAt }),
  }
}

export function fromDocument({ fields, many = [] }: Collection, document: Document): AppRecord {
  const { id, created_at, updated_at } = document
  const values = Object.entries(fields).map(([key, field]) => [key, fromStored(field, document)])
  const lists = many.map(({ field, name }) => [field, document[name] ?? []])
  const stamps = { createdAt: created_at, updatedAt: updated_at } as Stamps
  return { id, ...Object.fromEntries([...values, ...lists]), ...stamps }
}
