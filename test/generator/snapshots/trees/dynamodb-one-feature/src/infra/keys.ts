import { createHash } from 'node:crypto'

/**
 * The partition key and the sort key of an item. All items are in one table. For a collection `posts`:
 *
 * | PK                  | SK               | Item                                                      |
 * |---------------------|------------------|-----------------------------------------------------------|
 * | `posts#17`          | `-`              | a record                                                  |
 * | `posts`             | its time and id  | index entry for lists, with the fields that lists compare |
 * | `posts/search`      | its time and id  | index entry for searches, with the folded texts           |
 * | `posts/author_id=3` | its time and id  | index entry for a value of a reference or an index        |
 * | `posts/slug=hello`  | `-`              | a unique value, with the id of its record                 |
 * | `posts/counter`     | `-`              | the last id                                               |
 * | `posts/schema`      | `-`              | the collection as of the app's previous start             |
 */
export interface Key {
  PK: string
  SK: string
}

/** The sort key of the only item of a partition. */
const singleItem = '-'

export function recordKey(collection: string, id: number): Key {
  return { PK: `${collection}#${id}`, SK: singleItem }
}

export function counterKey(collection: string): Key {
  return { PK: `${collection}/counter`, SK: singleItem }
}

export function schemaKey(collection: string): Key {
  return { PK: `${collection}/schema`, SK: singleItem }
}

export function uniqueKey(collection: string, name: string, value: unknown): Key {
  return { PK: valuePartition(collection, name, value), SK: singleItem }
}

export function listPartition(collection: string): string {
  return collection
}

export function searchPartition(collection: string): string {
  return `${collection}/search`
}

/** Returns the partition of a value. A long value is hashed, as a key has at most 2048 bytes. */
export function valuePartition(collection: string, name: string, value: unknown): string {
  const text = String(value)
  const isShort = Buffer.byteLength(text) <= 1024
  return `${collection}/${name}${isShort ? `=${text}` : `~${sha256(text)}`}`
}

/** Returns the sort key for an order by creation time and id. `createdAt` is in ISO 8601. */
export function sortKeyOf(createdAt: string, id: number): string {
  return `${createdAt}#${String(id).padStart(idDigits, '0')}`
}

/** Returns the creation time in a sort key of `sortKeyOf`. */
export function timeInSortKey(sortKey: string): string {
  return sortKey.slice(0, -idDigits - 1)
}

/** Returns the id in a sort key of `sortKeyOf`. */
export function idInSortKey(sortKey: string): number {
  return Number(sortKey.slice(-idDigits))
}

const idDigits = 10

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
