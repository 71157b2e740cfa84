import { accessOf } from '../../model/access.ts'
import { entitiesOf } from '../../model/entities.ts'
import {
  enumFiltersOf,
  filterFieldsOf,
  rangeFieldsOf,
  sortFieldsOf,
} from '../../model/list-fields.ts'
import type { Feature, Field, Model } from '../../model/model.ts'
import { childrenOf, forwardOf, manyOf } from '../../model/relations.ts'
import type { StoreKind } from '../../model/store-kinds.ts'

/** Returns the text of `src/infra/schema.ts`: the collections of a document store, as data. */
export function documentSchema(model: Model): string {
  const collections = entitiesOf(model).map((feature) => [
    feature.entity.plural.snake,
    collectionOf(model, feature),
  ])
  return `import type { Schema } from './collection.js'

/** The schema of the store. Opening the store updates it to this schema. */
export const schema: Schema = ${print(Object.fromEntries(collections))}
`
}

/** Prints plain data as code. Collections and their properties have a line each, which the formatter keeps. */
export function print(value: unknown, depth = 0): string {
  if (typeof value === 'string')
    return /^[\w ]*$/.test(value) ? `'${value}'` : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((each) => print(each, depth + 1)).join(', ')}]`
  const members = Object.entries(value).map(([key, each]) => `${key}: ${print(each, depth + 1)}`)
  if (members.length === 0) return '{}'
  if (depth > 2) return `{ ${members.join(', ')} }`
  const indent = '  '.repeat(depth)
  return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`
}

function collectionOf(model: Model, feature: Feature) {
  const { entity, fields } = feature
  // Users have no list.
  const isListed = model.features.includes(feature)
  const enums = isListed ? enumFiltersOf(model, feature) : []
  const filters = [...filterFieldsOf(feature), ...enums]
  const ranges = isListed ? rangeFieldsOf(model, feature) : []
  const sorts = isListed ? sortFieldsOf(feature) : []
  const { owner = [], viewers } = accessOf(model, feature)
  const lists = {
    owner: owner.map(({ camel }) => camel),
    viewers: viewers.map((path) => path.map(({ camel }) => camel)),
    references: forwardOf(model, feature).map(({ field, camel, target, label, cascade }) => ({
      key: field.camel,
      to: target.entity.plural.snake,
      as: camel,
      ...(label && { label: label.camel }),
      ...(cascade && { cascade }),
    })),
    many: manyOf(model, feature).map(({ field, target, key, filter }) => ({
      field: field.camel,
      name: field.name,
      to: target.entity.plural.snake,
      key,
      filter: camelOf(filter),
    })),
    children: childrenOf(model, feature).map(({ camel, child, by }) => ({
      field: camel,
      of: child.entity.plural.snake,
      key: by.field.camel,
    })),
  }
  return {
    words: entity.words,
    ...(feature.unique && { unique: feature.unique }),
    ...(feature.index && indexedKinds.has(model.database) && { index: feature.index }),
    fields: Object.fromEntries(
      fields.map((field) => [
        field.camel,
        {
          name: field.name,
          type: field.type.kind,
          ...(field.type.kind === 'decimal' && { scale: field.type.scale }),
          ...(field.optional && { optional: true }),
          ...(field.unique && { unique: true }),
          ...(field.index && { index: true }),
          ...(filters.includes(field) && { filter: true }),
          ...(ranges.includes(field) && { range: true }),
          ...(sorts.includes(field) && { sort: true }),
          ...(feature.search.includes(field.name) && { search: true }),
          ...defaultOf(field),
        },
      ]),
    ),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  }
}

/** Elasticsearch indexes every field. DynamoDB reads lists from entries with the compared fields. */
const indexedKinds: ReadonlySet<StoreKind> = new Set(['mongodb', 'postgres-json'])

/** Returns the stored default for existing records. Times are text. */
function defaultOf({ type, default: value }: Field) {
  if (value === undefined) return {}
  if (value.kind === 'now') return { default: { now: type.kind } }
  return {
    default: type.kind === 'decimal' ? withoutTrailingZeros(String(value.value)) : value.value,
  }
}

/** Removes trailing zeros of a decimal. */
function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}

/** Returns a query parameter's name in the app. */
function camelOf(name: string): string {
  return name.replace(/_(.)/g, (_, first: string) => first.toUpperCase())
}
