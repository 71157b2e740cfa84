import { accessOf } from '../../model/access.ts'
import { entitiesOf } from '../../model/entities.ts'
import { enumFiltersOf, filterFieldsOf, rangeFieldsOf } from '../../model/list-fields.ts'
import type { Feature, Field, Model } from '../../model/model.ts'
import { joinTableName } from '../../model/relation-names.ts'
import { childrenOf, forwardOf, manyOf } from '../../model/relations.ts'
import { print } from '../document/schema.ts'

/** Returns the text of `src/infra/schema.ts`: the tables that the queries use, as data. */
export function kyselySchema(model: Model): string {
  const tables = entitiesOf(model).map((feature) => [
    feature.entity.plural.snake,
    tableOf(model, feature),
  ])
  return `import type { Schema } from './table.js'

/** The tables of \`prisma/schema.prisma\`, as the queries use them. */
export const schema: Schema = ${print(Object.fromEntries(tables))}
`
}

function tableOf(model: Model, feature: Feature) {
  const { entity, fields } = feature
  // Users have no list and no details.
  const isListed = model.features.includes(feature)
  const { owner = [], viewers } = accessOf(model, feature)
  const lists = {
    owner: owner.map(({ camel }) => camel),
    viewers: viewers.map((path) => path.map(({ camel }) => camel)),
    references: forwardOf(model, feature).map(({ field, camel, target, label }) => ({
      key: field.camel,
      to: target.entity.plural.snake,
      as: camel,
      ...(label && { label: label.camel }),
    })),
    many: manyOf(model, feature).map((many) => {
      const { field, target, key, filter } = many
      const isFirst = entity.type < target.entity.type
      return {
        field: field.camel,
        path: field.name,
        to: target.entity.plural.snake,
        key,
        filter: camelOf(filter),
        links: joinTableName(feature, many),
        holder: isFirst ? 'A' : 'B',
        target: isFirst ? 'B' : 'A',
      }
    }),
    children: isListed
      ? childrenOf(model, feature).map(({ camel, child, by, total }) => ({
          field: camel,
          total: total.camel,
          of: child.entity.plural.snake,
          key: by.field.camel,
        }))
      : [],
  }
  const filters = new Set(
    isListed
      ? [
          ...filterFieldsOf(feature),
          ...enumFiltersOf(model, feature),
          ...rangeFieldsOf(model, feature),
        ]
      : [],
  )
  return {
    ...(isRelated(model) && { words: entity.words }),
    ...(feature.unique && { unique: feature.unique }),
    columns: Object.fromEntries(
      fields.map((field) => [
        field.camel,
        {
          name: field.name,
          ...typeOf(field),
          ...(field.type.kind === 'decimal' && { scale: field.type.scale }),
          ...(field.optional && { optional: true }),
          ...(field.unique && { unique: true }),
          ...(filters.has(field) && { filter: true }),
          ...(feature.search.includes(field.name) && { search: true }),
        },
      ]),
    ),
    ...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
  }
}

/** Returns true if records may refer to others: with users, the code for owners is emitted. */
function isRelated({ auth, features }: Model): boolean {
  const hasReference = ({ fields, many }: Feature) =>
    many.length > 0 || fields.some(({ references }) => references)
  return auth || features.some(hasReference)
}

/** Values of other types have the same form in the store. */
const converted: ReadonlySet<string> = new Set(['bool', 'date', 'datetime', 'decimal', 'json'])

function typeOf({ type }: Field) {
  return converted.has(type.kind) ? { type: type.kind } : {}
}

/** Returns a query parameter's name in the app. */
function camelOf(name: string): string {
  return name.replace(/_(.)/g, (_, first: string) => first.toUpperCase())
}
