import type { FieldKind } from './field-kinds.ts'
import type { Feature, Field, Model } from './model.ts'
import { manyOf } from './relations.ts'

/** Lists the booleans and foreign keys, which filter a list by equality with an index. */
export function filterFieldsOf({ fields }: Feature): readonly Field[] {
  return fields.filter(
    ({ name, type, references }) =>
      (type.kind === 'bool' || references !== undefined) && !listParameters.has(name),
  )
}

/** Lists the enums that filter a list by equality. */
export function enumFiltersOf(model: Model, feature: Feature): readonly Field[] {
  return freeFields(model, feature).filter(({ type }) => type.kind === 'enum')
}

/** Lists the numbers, dates and times that filter a list by comparison. */
export function rangeFieldsOf(model: Model, feature: Feature): readonly Field[] {
  return freeFields(model, feature).filter(
    ({ type, references }) => rangeKinds.has(type.kind) && references === undefined,
  )
}

/** Lists the fields that sort a list, besides the managed ones: those with an index. */
export function sortFieldsOf({ fields }: Feature): readonly Field[] {
  return fields.filter(({ index, unique, references }) => index || unique || references)
}

/**
 * Names that no filter may have: query parameters of every list, and `after`, which the use-cases know beside the
 * filters. A field with such a name does not filter.
 */
export const listParameters: ReadonlySet<string> = new Set([
  'page',
  'page_size',
  'search',
  'sort',
  'cursor',
  'after',
])

const rangeKinds: ReadonlySet<FieldKind> = new Set([
  'int',
  'uint',
  'float',
  'decimal',
  'date',
  'datetime',
])

/** Lists the fields whose names are free for a filter. */
function freeFields(model: Model, feature: Feature): readonly Field[] {
  const taken = new Set(manyOf(model, feature).map(({ filter }) => filter))
  return feature.fields.filter(({ name }) => !taken.has(name) && !listParameters.has(name))
}
