import { foldText } from '../domain/fold-text.js'
import { type Collection, type Field, searchName } from '../infra/collection.js'
import type { Document } from './document-store.js'
import type { Stamps, Stored } from './repository.js'

/** A record of any kind, by the names of its fields in the app. */
export type Entry = Stored & Record<string, unknown>

/** Of a record, or of changes to one: what is left out stays so. Lists of other records hold their ids. */
export function toDocument(collection: Collection, record: object): Record<string, unknown> {
  const given: Record<string, unknown> = { ...record }
  const folded = Object.entries(collection.fields)
    .filter(([key, { search }]) => search && given[key] !== undefined)
    .map(([key, field]) => [searchName(field), foldText(String(given[key] ?? ''))])
  return { ...toSeen(collection, record), ...Object.fromEntries(folded) }
}

/** Like toDocument, without what is only searched: to compare a document with. */
export function toSeen({ fields, many = [] }: Collection, record: object): Record<string, unknown> {
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

export function fromDocument({ fields, many = [] }: Collection, document: Document): Entry {
  const { id, created_at, updated_at } = document
  const values = Object.entries(fields).map(([key, field]) => [key, fromStored(field, document)])
  const lists = many.map(({ field, name }) => [field, document[name] ?? []])
  const stamps = { createdAt: created_at, updatedAt: updated_at } as Stamps
  return { id, ...Object.fromEntries([...values, ...lists]), ...stamps }
}

/** JSON is kept as text: its keys may be such that mean something to the store. */
function toStored({ type }: Field, value: unknown): unknown {
  if (type === 'json' && value !== null) return JSON.stringify(value)
  return type === 'decimal' && typeof value === 'string' ? shortest(value) : value
}

function fromStored({ type, name, scale = 0 }: Field, document: Document): unknown {
  const value = document[name] ?? null
  if (typeof value !== 'string') return value
  if (type === 'json') return JSON.parse(value)
  return type === 'decimal' ? withScale(value, scale) : value
}

/** Equal numbers are equal texts, whatever the field's scale was when they were written. */
function shortest(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}

function withScale(decimal: string, scale: number): string {
  const [whole, fraction = ''] = decimal.split('.')
  return scale === 0 ? decimal : `${whole}.${fraction.padEnd(scale, '0')}`
}
