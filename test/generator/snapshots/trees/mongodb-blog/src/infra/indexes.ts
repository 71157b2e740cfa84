import type { Collection } from './collection.js'
import { comparedName } from './order-keys.js'

/** The order of lists: newest first, and by id if two records have the same time. */
const newestFirst = { created_at: -1, _id: -1 } as const

/** Returns the indexes of a collection. Unique indexes are sparse: a record without a value is not in them. */
export function indexesOf({
  fields,
  references = [],
  many = [],
  unique: groups = [],
  index: indexed = [],
}: Pick<Collection, 'fields'> & Partial<Collection>) {
  const all = Object.values(fields)
  const listed = new Set([
    ...all.filter(({ filter }) => filter).map(({ name }) => name),
    ...references.map(({ key }) => fields[key]?.name ?? key),
    ...many.map(({ name }) => name),
  ])
  const unique = all.filter((field) => field.unique).map(({ name }) => name)
  const sorted = all.filter(({ index, sort }) => index || sort)
  const compared = new Map(all.map((field) => [field.name, comparedName(field)]))
  const each = <Value>(names: readonly string[], value: Value) =>
    Object.fromEntries(names.map((name) => [name, value]))
  return [
    { name: 'created_at_id_idx', key: newestFirst },
    ...unique.map((name) => ({
      name: `${name}_key`,
      key: { [name]: 1 },
      unique: true,
      sparse: true,
    })),
    ...groups.map((names) => ({
      name: `${names.join('+')}_key`,
      key: each(names, 1 as const),
      unique: true,
      // A sparse index of several fields includes a record with one of the values.
      partialFilterExpression: each(names, { $exists: true }),
    })),
    ...indexed.map((names) => ({
      name: `${names.join('_')}_idx`,
      key: each(
        names.map((name) => compared.get(name) ?? name),
        1 as const,
      ),
    })),
    ...sorted.map((field) => ({
      name: `${field.name}_id_idx`,
      key: { [comparedName(field)]: 1, _id: 1 },
    })),
    ...[...listed].map((name) => ({
      name: `${name}_created_at_id_idx`,
      key: { [name]: 1, ...newestFirst },
    })),
  ]
}
