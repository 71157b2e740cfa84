import type { Feature, Field, Model } from '../model/model.ts'
import { narrowingsBetween } from './narrowings.ts'

/** The models on both sides of a deploy. */
export interface Overlap {
  /** The model of the version that runs while the new one starts. */
  readonly before: Model
  readonly after: Model
  /** The model of the tables after the migration: `after`, and what the database retains. */
  readonly database: Model
}

/**
 * Returns a sentence for each reason why the version before the change and the version after it can't use the
 * database at the same time. Empty if both can. `isRelational` is false for a store of documents.
 */
export function overlapFaults(overlap: Overlap, isRelational: boolean): readonly string[] {
  const { before, after, database } = overlap
  const faults = before.features.flatMap((old) => {
    const table = old.entity.plural.snake
    const stored = find(database, old)
    if (stored === undefined) return [`${table} is dropped: the previous version uses it`]
    if (stored.entity.plural.snake !== table) {
      return [`${table} is renamed: the previous version uses the old name`]
    }
    const next = find(after, old)
    return [
      ...featureFaults(table, old, stored, isRelational),
      ...(next ? searchFaults(table, old, next) : []),
      ...(isRelational ? unsearchedFaults(table, old, stored) : []),
    ]
  })
  const narrowed = narrowingsBetween(before, after).map(
    ({ table, field }) =>
      `${table}.${field}: the previous version writes values outside the new rule`,
  )
  return [...faults, ...narrowed.filter((line) => !faults.some((each) => isSamePlace(each, line)))]
}

function featureFaults(
  table: string,
  old: Feature,
  stored: Feature,
  isRelational: boolean,
): readonly string[] {
  const at = (name: string) => `${table}.${name}`
  const fields = old.fields.flatMap((field) => {
    const next = stored.fields.find(({ name }) => name === field.name)
    if (next) return fieldFaults(at(field.name), field, next)
    if (isRelational) return [`${at(field.name)} is dropped: the previous version uses it`]
    return field.optional
      ? []
      : [`${at(field.name)} is missing in new records: the previous version needs it`]
  })
  const added = stored.fields
    .filter(({ name }) => !old.fields.some((field) => field.name === name))
    .filter((field) => !field.optional && !(isRelational && field.default !== undefined))
    .map(({ name }) => `${at(name)} is required: the previous version does not write it`)
  const links = old.many.flatMap((many) => {
    const next = stored.many.find(({ name }) => name === many.name)
    if (next?.target === many.target) return []
    return [`${at(many.name)} is dropped or changed: the previous version uses it`]
  })
  return [...fields, ...added, ...links]
}

function fieldFaults(at: string, old: Field, next: Field): readonly string[] {
  if (!isSameKind(old, next)) {
    return [`${at} changes its type: the previous version expects ${old.type.kind}`]
  }
  if (old.references?.target !== next.references?.target) {
    return [`${at} refers to other records: the previous version writes ids of the old ones`]
  }
  if (old.optional && !next.optional) {
    return [`${at} becomes required: the previous version writes records without it`]
  }
  return !old.optional && next.optional
    ? [`${at} becomes optional: the previous version can't read records without it`]
    : []
}

/** The previous version does not write the folded text that a search reads. */
function searchFaults(table: string, old: Feature, next: Feature): readonly string[] {
  return next.search
    .filter((name) => !old.search.includes(name))
    .map(
      (name) =>
        `${table}.${name} is searched: the search does not find the texts that the previous version writes`,
    )
}

/** The folded text of a searched field is a column that the previous version writes. */
function unsearchedFaults(table: string, old: Feature, stored: Feature): readonly string[] {
  return old.search
    .filter((name) => !stored.search.includes(name) && hasField(stored, name))
    .map(
      (name) =>
        `${table}.${name} is no longer searched: the previous version writes the column of the search`,
    )
}

function isSameKind({ type: old }: Field, { type: next }: Field): boolean {
  if (old.kind === 'decimal' && next.kind === 'decimal') return old.scale === next.scale
  return (
    old.kind === next.kind ||
    families.some((kinds) => [old, next].every(({ kind }) => kinds.includes(kind)))
  )
}

/** Types with the same values in the store and in the code, except for their rules. */
const families: readonly (readonly Field['type']['kind'][])[] = [
  ['string', 'text', 'email', 'enum'],
  ['int', 'uint'],
]

function hasField({ fields }: Feature, name: string): boolean {
  return fields.some((field) => field.name === name)
}

function isSamePlace(one: string, other: string): boolean {
  const placeOf = (line: string) => line.split(/[ :]/, 1)[0]
  return placeOf(one) === placeOf(other)
}

function find({ features }: Model, { entity }: Feature): Feature | undefined {
  return features.find((each) => each.entity.pascal === entity.pascal)
}
