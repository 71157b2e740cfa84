import { fieldsOfGroup } from '../model/field-groups.ts'
import type { Feature, Field } from '../model/model.ts'

/**
 * Returns the names of the foreign keys that differ from sample to sample: unique keys, and one key of each unique group
 * in which no other value differs.
 */
export function distinctKeysOf(feature: Feature): ReadonlySet<string> {
  const keys = new Set(
    feature.fields.filter(({ references, unique }) => references && unique).map(({ name }) => name),
  )
  for (const group of feature.unique ?? []) {
    const members = fieldsOfGroup(feature, group)
    const [key] = members
      .filter(({ name, references }) => references !== undefined && name !== feature.owner)
      .toSorted((a, b) => rank(a) - rank(b))
    if (key === undefined || members.some((field) => keys.has(field.name) || differs(field)))
      continue
    keys.add(key.name)
  }
  return keys
}

function differs({ type, references }: Field): boolean {
  return references === undefined && type.kind !== 'bool' && type.kind !== 'enum'
}

/** Prefers required keys, whose records always exist, and other records than users, which are costly to create. */
function rank({ optional, references }: Field): number {
  return Number(optional) * 2 + Number(references?.target === 'User')
}
