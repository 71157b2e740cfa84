import { entitiesOf } from '../model/entities.ts'
import type { Model } from '../model/model.ts'

/** The abilities of a store that the entities of a project need. A document store is emitted without the others. */
export interface UsesView {
  /** True if records refer to other records. */
  relations: boolean
  /** True if records have lists of other records. */
  many: boolean
  unique: boolean
  search: boolean
  /** True if a field is stored in another format than the app's. */
  converted: boolean
}

export function usesView(model: Model): UsesView {
  const { auth } = model
  const features = entitiesOf(model)
  const fields = features.flatMap((feature) => feature.fields)
  const many = features.some((feature) => feature.many.length > 0)
  return {
    // The files of users contain code for owners, whose records refer to the users.
    relations: auth || many || fields.some(({ references }) => references !== undefined),
    many,
    unique: fields.some(({ unique }) => unique),
    search: features.some(({ search }) => search.length > 0),
    converted: fields.some(({ type }) => type.kind === 'json' || type.kind === 'decimal'),
  }
}
