import { entitiesOf } from '../model/entities.ts'
import { uniqueGroupsOf } from '../model/field-groups.ts'
import { sortFieldsOf } from '../model/list-fields.ts'
import type { Field, Model } from '../model/model.ts'
import { childrenOf } from '../model/relations.ts'

/** The abilities of a store that the entities of a project need. A document store is emitted without the others. */
export interface UsesView {
  /** True if records refer to other records. */
  relations: boolean
  /** True if records have lists of other records. */
  many: boolean
  /** True if records are embedded in the records that they belong to. */
  parts: boolean
  unique: boolean
  /** True if the store refuses writes by the values of other records: relations, or unique values. */
  constraints: boolean
  /** True if a field that sorts a list can be NULL, or has another type in the store than in a cursor. */
  specialSorts: boolean
  /** True if groups of fields are unique or indexed. */
  groups: boolean
  search: boolean
  /** True if the app renames what earlier versions stored. */
  renames: boolean
  /** True if a field is stored in another format than the app's. */
  converted: boolean
}

export function usesView(model: Model): UsesView {
  const { auth } = model
  const features = entitiesOf(model)
  const fields = features.flatMap((feature) => feature.fields)
  const many = features.some((feature) => feature.many.length > 0)
  const unique = features.some((feature) => uniqueGroupsOf(feature).length > 0)
  // The files of users contain code for owners, whose records refer to the users.
  const relations = auth || many || fields.some(({ references }) => references !== undefined)
  return {
    relations,
    many,
    parts: features.some((feature) => childrenOf(model, feature).length > 0),
    unique,
    constraints: relations || unique,
    specialSorts: features.flatMap(sortFieldsOf).some(isSpecial),
    groups: features.some((feature) => feature.unique !== undefined || feature.index !== undefined),
    search: features.some(({ search }) => search.length > 0),
    renames: model.renames !== undefined,
    converted: fields.some(({ type }) => type.kind === 'json' || type.kind === 'decimal'),
  }
}

/** Prisma cannot compare booleans, and has days as dates. */
function isSpecial({ optional, type }: Field): boolean {
  return optional || type.kind === 'bool' || type.kind === 'date'
}
