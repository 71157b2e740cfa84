import type { Model, StoreRename } from './model.ts'

/**
 * Returns the second model with the names that differ in the store. Features, fields and lists of both models match by
 * position.
 */
export function withStoreRename(before: Model, after: Model): Model {
  const names = Object.fromEntries(
    before.features.flatMap((old, at) => {
      const next = after.features[at]
      if (next === undefined) return []
      const [from, to] = [old.entity.plural.snake, next.entity.plural.snake]
      const members = [...old.fields, ...old.many].map(({ name }) => name)
      const renamed = [...next.fields, ...next.many].map(({ name }) => name)
      const pairs = members.flatMap((name, place) =>
        renamed[place] === name ? [] : [[`${from}.${name}`, `${to}.${renamed[place]}`] as const],
      )
      return from === to ? pairs : [[from, to] as const, ...pairs]
    }),
  )
  if (Object.keys(names).length === 0) return after
  return { ...after, renames: [...(before.renames ?? []), names] }
}

/** The names of one rename as data of the emitted app. */
export interface EmittedRename {
  /** New names of collections, by their previous names. */
  readonly collections: StoreRename
  /** New names of fields and lists, by the previous names of their collections. */
  readonly fields: Readonly<Record<string, StoreRename>>
}

export function emittedRename(rename: StoreRename): EmittedRename {
  const collections: Record<string, string> = {}
  const fields: Record<string, Record<string, string>> = {}
  for (const [from, to] of Object.entries(rename)) {
    const [collection = '', field] = from.split('.')
    if (field === undefined) collections[collection] = to
    else fields[collection] = { ...fields[collection], [field]: to.split('.')[1] ?? '' }
  }
  return { collections, fields }
}
