import { groupIndexName, groupKinds } from './field-groups.ts'
import { filterFieldsOf } from './list-fields.ts'
import type { Feature, Field } from './model.ts'

/**
 * Lists the names of a feature's table, primary key, indexes and join tables. PostgreSQL and SQLite keep all of
 * them in one namespace.
 */
export function schemaNames(feature: Feature): readonly string[] {
  const table = feature.entity.plural.snake
  const indexes = feature.fields.flatMap((field) => indexNames(feature, field))
  const filters = filterFieldsOf(feature).map(({ name }) => `${table}_${name}_created_at_id_idx`)
  const groups = groupKinds.flatMap((kind) =>
    (feature[kind] ?? []).map((group) => groupIndexName(feature, kind, group)),
  )
  const joins = feature.many.map(({ name }) => `_${table}_${name}`)
  return [
    table,
    `${table}_pkey`,
    `${table}_created_at_id_idx`,
    ...indexes,
    ...groups,
    ...filters,
    ...joins,
  ]
}

/** Lists the indexes of one field, as Prisma names them. */
export function indexNames(feature: Feature, field: Field): readonly string[] {
  const stem = `${feature.entity.plural.snake}_${field.name}`
  return [...(field.unique ? [`${stem}_key`] : []), ...(field.index ? [`${stem}_idx`] : [])]
}
