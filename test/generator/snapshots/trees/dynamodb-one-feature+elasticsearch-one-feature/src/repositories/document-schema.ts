import type { Collection } from '../infra/collection.js'
import { schema } from '../infra/schema.js'

export function collectionOf(name: string): Collection {
  const collection = schema[name]
  if (!collection) throw new Error(`the schema has no ${name}`)
  return collection
}
