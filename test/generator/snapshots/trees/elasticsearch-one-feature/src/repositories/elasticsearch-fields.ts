import { foldText } from '../domain/fold-text.js'
import { type Field, searchName } from '../infra/collection.js'
import { comparedName, comparedValue, hasOrderKey, markName } from '../infra/mapping.js'
import { toSearchText } from '../infra/search-text.js'
import type { Fields } from '../infra/writes.js'
import { collectionOf } from './document-schema.js'
import type { Document } from './document-store.js'

/** Converts fields for the server: adds the values that are derived from the given fields. */
export function toFields(collection: string, given: Readonly<Record<string, unknown>>): Fields {
  const fields = { ...given }
  for (const { name, searched } of searchedIn(collection)) {
    if (name in given) fields[searched] = toSearchText(foldText(String(given[name] ?? '')))
  }
  for (const field of keyedIn(collection)) {
    if (field.name in given) fields[comparedName(field)] = comparedValue(field, given[field.name])
  }
  return fields
}

/** Converts stored fields to a document. Times, which are text in JSON, become dates. */
export function toDocument(collection: string, fields: Fields): Document {
  const times = Object.values(collectionOf(collection).fields).filter(
    ({ type }) => type === 'datetime',
  )
  const document: Record<string, unknown> = { ...fields }
  for (const name of ['created_at', 'updated_at', ...times.map((time) => time.name)]) {
    const time = fields[name]
    if (typeof time === 'string') document[name] = new Date(time)
  }
  return { ...document, id: Number(fields.id) }
}

/** Leaves NULL values out: the server does not store them. */
export function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

/** Returns true if the fields still have the values of `expected`. */
export function hasValues(fields: Fields, expected: Fields): boolean {
  const toJson = (value: unknown) => JSON.stringify(value ?? null)
  return Object.entries(expected).every(([name, value]) => toJson(fields[name]) === toJson(value))
}

/** Returns the options that select the fields to read: `names`, or all fields of the app. */
export function sourceOf(collection: string, names?: readonly string[]) {
  if (names) return { _source_includes: ['id', ...names] }
  const derived = [
    ...searchedIn(collection).map(({ searched }) => searched),
    ...keyedIn(collection).map(comparedName),
  ]
  return { _source_excludes: [markName, ...derived] }
}

function searchedIn(collection: string) {
  return Object.values(collectionOf(collection).fields)
    .filter(({ search }) => search)
    .map((field) => ({ name: field.name, searched: searchName(field) }))
}

function keyedIn(collection: string): Field[] {
  return Object.values(collectionOf(collection).fields).filter(hasOrderKey)
}
