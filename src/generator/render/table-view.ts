import { accessOf } from '../model/access.ts'
import { fieldsOfGroup, uniqueGroupsOf } from '../model/field-groups.ts'
import { enumFiltersOf, filterFieldsOf, rangeFieldsOf, sortFieldsOf } from '../model/list-fields.ts'
import type { Feature, Model } from '../model/model.ts'
import { camelOf } from './list-view.ts'
import { literal } from './literal.ts'
import type { Relations } from './relation-view.ts'

/** Template data: the in-memory table of one feature, and the tests of its list. */
export interface TableView {
  /** Lists of the file in `test/support/tables/`; none is empty. */
  tableParts: readonly { name: string; items: string }[]
  manyFields: readonly { name: string; camel: string }[]
  isSearched: boolean
  /** Test statements, and query strings that respond with 400. */
  filterChecks: readonly string[]
  badQueries: readonly string[]
}

export function tableView(model: Model, feature: Feature, relations: Relations): TableView {
  const { forward, many, children } = relations
  const filters = filterFieldsOf(feature)
  const enums = enumFiltersOf(model, feature)
  const ranges = rangeFieldsOf(model, feature)
  const isSearched = feature.search.length > 0
  const { owner = [], viewers } = accessOf(model, feature)
  const search = feature.fields.filter(({ name }) => feature.search.includes(name))
  return {
    tableParts: [
      { name: 'unique', items: uniqueItems(feature) },
      { name: 'owner', items: list(owner) },
      { name: 'viewers', items: viewers.map((path) => `[${list(path)}]`).join(', ') },
      {
        name: 'references',
        items: forward
          .map(({ field, camel, target, label, cascade }) => {
            const { plural, words } = target.entity
            const shown = label ? `, label: ${literal(label.camel)}` : ''
            return `{ key: ${literal(field.camel)}, as: ${literal(camel)}${shown}, table: ${literal(plural.snake)}, words: ${literal(words)}, cascade: ${cascade} }`
          })
          .join(', '),
      },
      {
        name: 'many',
        items: many
          .map(
            ({ field, target, key, filter }) =>
              `{ field: ${literal(field.camel)}, path: ${literal(field.name)}, table: ${literal(target.entity.plural.snake)}, key: ${literal(key)}, filter: ${literal(camelOf(filter))} }`,
          )
          .join(', '),
      },
      {
        name: 'children',
        items: children
          .map(
            ({ camel, child, by }) =>
              `{ field: ${literal(camel)}, table: ${literal(child.entity.plural.snake)}, key: ${literal(by.field.camel)}, whole: ${literal(by.camel)} }`,
          )
          .join(', '),
      },
      { name: 'filters', items: list([...filters, ...enums]) },
      { name: 'ranges', items: list(ranges) },
      { name: 'sorts', items: list(sortFieldsOf(feature)) },
      { name: 'nullable', items: list(sortFieldsOf(feature).filter(({ optional }) => optional)) },
      {
        name: 'decimals',
        items: list(feature.fields.filter(({ type }) => type.kind === 'decimal')),
      },
      { name: 'search', items: list(search) },
    ].filter(({ items }) => items !== ''),
    manyFields: many.map(({ field: { name, camel } }) => ({ name, camel })),
    isSearched,
    filterChecks: [
      ...many.map(({ filter, key, target }) => {
        const value = `refs.${target.entity.camel}.${key}`
        return `expect(await resource.list({ ${filter}: ${value} })).toMatchObject({ total })`
      }),
      ...(isSearched
        ? ["expect(await resource.list({ search: 'no such text' })).toMatchObject({ total: 0 })"]
        : []),
    ],
    badQueries: [
      ...filters.map(({ name, type }) => `${name}=${type.kind === 'bool' ? 'yes' : '0'}`),
      ...enums.map(({ name }) => `${name}=no-such-value`),
      ...ranges.map(({ name }) => `${name}[gte]=x`),
      ...many.map(({ filter }) => `${filter}=1&${filter}=2`),
      ...(isSearched ? ['search=a&search=b'] : []),
    ],
  }
}

/** Lists unique fields, and groups of fields in brackets. */
function uniqueItems(feature: Feature): string {
  return uniqueGroupsOf(feature)
    .map((group) => {
      const items = list(fieldsOfGroup(feature, group))
      return group.length > 1 ? `[${items}]` : items
    })
    .join(', ')
}

function list(fields: readonly { camel: string }[]): string {
  return fields.map(({ camel }) => literal(camel)).join(', ')
}
