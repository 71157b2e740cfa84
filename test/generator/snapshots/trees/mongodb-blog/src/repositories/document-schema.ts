import { type Collection, nameOf } from '../infra/collection.js'
import { schema } from '../infra/schema.js'

export function collectionOf(name: string): Collection {
  const collection = schema[name]
  if (!collection) throw new Error(`the schema has no ${name}`)
  return collection
}

/** A list of ids, or a field with one, of what refers to a collection. */
export interface Referring {
  collection: string
  /** In the store. */
  name: string
}

/** What keeps a record of the collection from being removed, or falls with it. */
export function referringTo(target: string, { cascade }: { cascade: boolean }): Referring[] {
  return Object.entries(schema).flatMap(([collection, other]) =>
    (other.references ?? [])
      .filter((reference) => reference.to === target && (reference.cascade ?? false) === cascade)
      .map(({ key }) => ({ collection, name: nameOf(other, key) })),
  )
}

/** What lists records of the collection. */
export function linkedTo(target: string): Referring[] {
  return Object.entries(schema).flatMap(([collection, { many = [] }]) =>
    many.filter(({ to }) => to === target).map(({ name }) => ({ collection, name })),
  )
}
