import { isDeepStrictEqual } from 'node:util'
import { foldText } from '../domain/fold-text.js'
import { type Collection, nameOf, searchName, uniqueGroups } from './collection.js'
import type { Item } from './item.js'
import {
  type Key,
  listPartition,
  searchPartition,
  sortKeyOf,
  uniqueKey,
  valuePartition,
} from './keys.js'
import { comparedValue } from './order-values.js'

/** An index entry: lists, searches and lookups find records by their index entries. */
export interface Entry {
  key: Key
  attributes: Item
  /** The unique fields, if the entry is for a unique value. */
  unique?: string
}

/**
 * Returns all index entries of a record. The entries depend on the record alone. One transaction
 * writes record and entries.
 */
export function entriesOf(name: string, collection: Collection, record: Item): Entry[] {
  const { many = [] } = collection
  const fields = Object.values(collection.fields)
  const sortKey = sortKeyOf(String(record.created_at), Number(record.id))
  const listed = fields.filter(({ filter, range, sort }) => filter || range || sort)
  const compared = listed.map(
    (field) => [field.name, comparedValue(field, record[field.name])] as const,
  )
  const links = many.map(({ name: list }) => [list, record[list]] as const)
  const filtered = withoutMissing([...compared, ...links, ['updated_at', record.updated_at]])
  const searched = fields.filter(({ search }) => search)
  const texts = searched.map((field) => [
    searchName(field),
    foldText(String(record[field.name] ?? '')),
  ])
  const listOf = (names: readonly string[]) => JSON.stringify(names.map((field) => record[field]))
  const hasValue = (field: string) => record[field] !== undefined
  return [
    { key: { PK: listPartition(name), SK: sortKey }, attributes: filtered },
    ...(searched.length === 0
      ? []
      : [
          {
            key: { PK: searchPartition(name), SK: sortKey },
            attributes: { ...filtered, ...Object.fromEntries(texts) },
          },
        ]),
    ...indexedNames(collection)
      .filter(hasValue)
      .map((field) => ({
        key: { PK: valuePartition(name, field, record[field]), SK: sortKey },
        attributes: {},
      })),
    ...uniqueGroups(collection)
      .filter((names) => names.every(hasValue))
      .map((names) => ({
        key: uniqueKey(
          name,
          names.join('+'),
          names.length > 1 ? listOf(names) : record[String(names)],
        ),
        attributes: { id: record.id },
        unique: names.join(' + '),
      })),
  ]
}

/** An index entry of a record's previous version. Without attributes, the entry may not exist. */
export interface PreviousEntry {
  key: Key
  attributes?: Item
}

/** Returns the index entries to write and to remove if a record changes. */
export function changesOf(before: readonly PreviousEntry[], after: readonly Entry[]) {
  const old = new Map(before.map((entry) => [idOf(entry), entry]))
  const kept = new Set(after.map(idOf))
  return {
    removed: [...old].flatMap(([id, entry]) => (kept.has(id) ? [] : [entry])),
    put: after.filter(
      (entry) => !isDeepStrictEqual(old.get(idOf(entry))?.attributes, entry.attributes),
    ),
  }
}

/** Returns the indexed fields. Each value has a partition with the index entries of its records. */
export function indexedNames(collection: Collection): string[] {
  const { fields, references = [] } = collection
  const indexed = Object.values(fields).flatMap(({ index, name }) => (index ? [name] : []))
  const referring = references.map(({ key }) => nameOf(collection, key))
  const unique = new Set(uniqueGroups(collection).map(String))
  return [...new Set([...indexed, ...referring])].filter((name) => !unique.has(name))
}

function idOf({ key: { PK, SK } }: PreviousEntry): string {
  return `${PK} ${SK}`
}

function withoutMissing(attributes: readonly (readonly [string, unknown])[]): Item {
  return Object.fromEntries(attributes.filter(([, value]) => value !== undefined))
}
