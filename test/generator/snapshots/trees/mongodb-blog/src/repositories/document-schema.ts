import { type Collection, nameOf } from '../infra/collection.js'
import { schema } from '../infra/schema.js'

export function collectionOf(name: string): Collection {
  const collection = schema[name]
  if (!collection) throw new Error(`the schema has no ${name}`)
  return collection
}

/** A field that holds an id, or a list of ids, of another collection. */
interface ReferringField {
  collection: string
  /** The field's name in the store. */
  name: string
}

/**
 * Returns the references to a collection. `cascade` selects references that cascade, or references
 * that prevent a removal.
 */
export function referringTo(target: string, { cascade }: { cascade: boolean }): ReferringField[] {
  return Object.entries(schema).flatMap(([collection, other]) =>
    (other.references ?? [])
      .filter((reference) => reference.to === target && (reference.cascade ?? false) === cascade)
      .map(({ key }) => ({ collection, name: nameOf(other, key) })),
  )
}

/** Returns the many-to-many lists that link to a collection. */
export function linkedTo(target: string): ReferringField[] {
  return Object.entries(schema).flatMap(([collection, { many = [] }]) =>
    many.filter(({ to }) => to === target).map(({ name }) => ({ collection, name })),
  )
}
