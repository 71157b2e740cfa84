import type { Feature, Field } from './model.ts'
import { filterFieldsOf } from './relations.ts'

/**
 * The table, its primary key, its indexes, those of its lists and its join tables: PostgreSQL and SQLite keep them
 * in one name space.
 */
export function schemaNames(feature: Feature): readonly string[] {
  const table = feature.entity.plural.snake
  const indexes = feature.fields.flatMap((field) => indexNames(feature, field))
  const filters = filterFieldsOf(feature).map(({ name }) => `${table}_${name}_created_at_id_idx`)
  const joins = feature.many.map(({ name }) => `_${table}_${name}`)
  return [table, `${table}_pkey`, `${table}_created_at_id_idx`, ...indexes, ...filters, ...joins]
}

/** The indexes one field asks for, named as Prisma names them. */
export function indexNames(feature: Feature, field: Field): readonly string[] {
  const stem = `${feature.entity.plural.snake}_${field.name}`
  return [...(field.unique ? [`${stem}_key`] : []), ...(field.index ? [`${stem}_idx`] : [])]
}
