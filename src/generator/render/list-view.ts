import type { Feature } from '../model/model.ts'
import { filterFieldsOf, type Many } from '../model/relations.ts'
import { byName } from './order.ts'

/** Template data: filters of a feature's list. */
export interface ListView {
  filters: readonly FilterView[]
  /** Named imports from `src/http/filters.ts`. */
  filterHelpers: string
  /** Parameter of the use-case, and its type. */
  listParameter: string
  listType: string
}

export interface FilterView {
  /** Query parameter. */
  name: string
  camel: string
  tsType: string
  zod: string
  helper: string
}

export function listView(feature: Feature, many: readonly Many[]): ListView {
  const filters = [
    ...filterFieldsOf(feature).map(({ name, camel, references }) =>
      filter(name, camel, references ? 'recordId' : 'flag'),
    ),
    ...many.map(({ filter: name, key }) =>
      filter(name, camelOf(name), key === 'id' ? 'recordId' : 'phrase'),
    ),
    ...(feature.search.length > 0 ? [filter('search', 'search', 'phrase')] : []),
  ]
  const isNarrowed = filters.length > 0
  return {
    filters,
    filterHelpers: [...new Set(filters.map(({ helper }) => helper))].sort(byName).join(', '),
    listParameter: isNarrowed ? 'query' : 'page',
    listType: isNarrowed ? `Page & ${feature.entity.pascal}Filter` : 'Page',
  }
}

type Helper = keyof typeof tsTypes

const tsTypes = { flag: 'boolean', recordId: 'number', phrase: 'string' } as const

function filter(name: string, camel: string, helper: Helper): FilterView {
  return { name, camel, tsType: tsTypes[helper], zod: `${helper}()`, helper }
}

/** Returns the camelCase property of a query parameter. */
export function camelOf(name: string): string {
  return name.replace(/_(.)/g, (_, first: string) => first.toUpperCase())
}
