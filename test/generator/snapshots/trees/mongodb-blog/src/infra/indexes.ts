import type { Collection } from './collection.js'

/** Lists are newest first, and the id settles a tie. */
const newestFirst = { created_at: -1, _id: -1 } as const

/** The indexes of a collection. That of a unique field knows no empty ones: they are not kept at all. */
export function indexesOf({ fields, references = [], many = [] }: Collection) {
  const all = Object.values(fields)
  const listed = new Set([
    ...all.filter(({ filter }) => filter).map(({ name }) => name),
    ...references.map(({ key }) => fields[key]?.name ?? key),
    ...many.map(({ name }) => name),
  ])
  const unique = all.filter((field) => field.unique).map(({ name }) => name)
  const indexed = all
    .filter(({ name, index }) => index && !listed.has(name))
    .map(({ name }) => name)
  return [
    { name: 'created_at_id_idx', key: newestFirst },
    ...unique.map((name) => ({
      name: `${name}_key`,
      key: { [name]: 1 },
      unique: true,
      sparse: true,
    })),
    ...indexed.map((name) => ({ name: `${name}_idx`, key: { [name]: 1 } })),
    ...[...listed].map((name) => ({
      name: `${name}_created_at_id_idx`,
      key: { [name]: 1, ...newestFirst },
    })),
  ]
}

/** Whether an index has a name as the schema gives it. It goes when the schema has it no more; others stay. */
export function isOurs(name: string): boolean {
  return /_(key|idx)$/.test(name)
}
