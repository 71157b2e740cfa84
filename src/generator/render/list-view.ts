import { enumFiltersOf, filterFieldsOf, rangeFieldsOf, sortFieldsOf } from '../model/list-fields.ts'
import type { Feature, Field, Model } from '../model/model.ts'
import type { Many } from '../model/relations.ts'
import { domainType, enumConstant, valueSchema } from './field-view.ts'
import { literal } from './literal.ts'
import { byName } from './order.ts'

/** Template data: filters and order of a feature's list. */
export interface ListView {
  filters: readonly FilterView[]
  /** Parameters of the client: filters by equality, and by comparison. */
  wireFilters: readonly FilterView[]
  wireRanges: readonly FilterView[]
  /** Fields that sort the list, and the schemas of their values, besides the managed fields. */
  sortFields: readonly { name: string; zod: string }[]
  /** Named imports from `src/http/filters.ts`, and from `src/http/fields.ts`. */
  filterHelpers: readonly string[]
  listFieldHelpers: readonly string[]
  /** Parameter of the use-case, and its type. */
  listParameter: string
  listType: string
  /** True if a filter compares values. */
  hasRanges: boolean
}

export interface FilterView {
  /** Query parameter. */
  name: string
  camel: string
  /** Type in the domain, and of the query parameters in the client. */
  tsType: string
  wireType: string
  /** True if the list also has the parameters `name[gte]`, `name[gt]`, `name[lte]` and `name[lt]`. */
  isRange: boolean
  /** Member of the schema of a query. */
  code: string
  helpers: readonly string[]
  fieldHelpers: readonly string[]
}

export function listView(model: Model, feature: Feature, many: readonly Many[]): ListView {
  const sorted = sortFieldsOf(feature).map((field) => ({ field, ...valueSchema(field) }))
  const filters = [
    ...filterFieldsOf(feature).map(({ name, camel, references }) =>
      equality(name, camel, references ? 'recordId' : 'flag'),
    ),
    ...enumFiltersOf(model, feature).map((field) => enumeration(field, feature)),
    ...rangeFieldsOf(model, feature).map((field) => range(field, feature)),
    ...many.map(({ filter: name, key }) =>
      equality(name, camelOf(name), key === 'id' ? 'recordId' : 'phrase'),
    ),
    ...(feature.search.length > 0 ? [equality('search', 'search', 'phrase')] : []),
  ]
  const isNarrowed = filters.length > 0
  return {
    filters,
    wireFilters: filters.filter(({ isRange }) => !isRange),
    wireRanges: filters.filter(({ isRange }) => isRange),
    sortFields: sorted.map(({ field, zod }) => ({
      name: field.name,
      zod: field.optional ? `${zod}.nullable()` : zod,
    })),
    filterHelpers: distinct(filters.flatMap(({ helpers }) => helpers)),
    listFieldHelpers: distinct([
      ...filters.flatMap(({ fieldHelpers }) => fieldHelpers),
      ...sorted.flatMap(({ helper }) => helper || []),
    ]),
    listParameter: isNarrowed ? 'query' : 'page',
    listType: isNarrowed ? `Page & ${feature.entity.pascal}Filter` : 'Page',
    hasRanges: filters.some(({ isRange }) => isRange),
  }
}

type Helper = keyof typeof tsTypes

const tsTypes = { flag: 'boolean', recordId: 'number', phrase: 'string' } as const

function equality(name: string, camel: string, helper: Helper): FilterView {
  const [type, code] = [tsTypes[helper], `${name}: ${helper}()`]
  const types = { tsType: type, wireType: type }
  return { name, camel, ...types, isRange: false, code, helpers: [helper], fieldHelpers: [] }
}

function enumeration(field: Field, feature: Feature): FilterView {
  const { name, camel, type } = field
  const values = type.kind === 'enum' ? type.values.map(literal).join(' | ') : ''
  return {
    name,
    camel,
    tsType: domainType(field, feature),
    wireType: values,
    isRange: false,
    code: `${name}: oneOf(${enumConstant(feature, field)})`,
    helpers: ['oneOf'],
    fieldHelpers: [],
  }
}

function range(field: Field, feature: Feature): FilterView {
  const { name, camel } = field
  const { zod, helper } = valueSchema(field)
  const tsType = domainType(field, feature)
  const isNumber = tsType === 'number'
  return {
    name,
    camel,
    tsType: `ValueRange<${tsType}>`,
    wireType: isNumber ? 'number' : 'string',
    isRange: true,
    code: `...range(${literal(name)}, ${isNumber ? `numeric(${zod})` : zod})`,
    helpers: isNumber ? ['range', 'numeric'] : ['range'],
    fieldHelpers: helper ? [helper] : [],
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(byName)
}

/** Returns the camelCase property of a query parameter. */
export function camelOf(name: string): string {
  return name.replace(/_(.)/g, (_, first: string) => first.toUpperCase())
}
