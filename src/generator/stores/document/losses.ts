import { printGroup, repeatFault } from '../../model/field-groups.ts'
import type { FieldKind } from '../../model/field-kinds.ts'
import type { Feature, Field, Model } from '../../model/model.ts'

/**
 * Returns the sentences that a person must accept before the fields of documents change: one for each unreachable
 * value, and one for each reason why the app can refuse to start. The store itself deletes nothing.
 */
export function documentLosses(from: Model, to: Model): readonly string[] {
  return to.features.flatMap((feature) => {
    const before = from.features.find(({ entity }) => entity.pascal === feature.entity.pascal)
    return before ? featureLosses(before, feature) : []
  })
}

function featureLosses(before: Feature, after: Feature): readonly string[] {
  const table = after.entity.plural.snake
  const at = ({ name }: Named) => `${table}.${name}`
  const pairs = pairsOf(before.fields, after.fields)
  return [
    ...without(before.fields, after.fields).map(
      (field) =>
        `${at(field)} is dropped: its values stay in the store, but the app no longer reads them`,
    ),
    ...without(before.many, after.many).map(
      (list) =>
        `the relation ${at(list)} is dropped: its links stay in the store, but the app no longer reads them`,
    ),
    ...without(after.fields, before.fields)
      .filter(isRequired)
      .map((field) => `${at(field)} is required and has no default: ${refuses} exists`),
    ...pairs.flatMap(({ old, field }) => fieldLosses(old, field, at(field))),
    ...newGroups(before, after).map(
      (group) =>
        `${table} becomes unique by ${printGroup(group)}: ${refuses} has the same values as another`,
    ),
    ...pairsOf(before.many, after.many)
      .filter(({ old, field }) => old.target !== field.target)
      .map(
        ({ field }) =>
          `the relation ${at(field)} now refers to ${field.target}: its links stay, and are read as ids of ${field.target}`,
      ),
  ]
}

const refuses = 'the app refuses to start if a record'

function fieldLosses(old: Field, field: Field, at: string): readonly string[] {
  const becomes = `${at} changes from ${old.type.kind} to ${field.type.kind}`
  const target = field.references?.target
  const sentences: readonly [boolean, string][] = [
    [isRequired(field) && old.optional, `${at} becomes required: ${refuses} has no value`],
    [!isCompatible(old, field), `${becomes}: ${refuses} has a value of the old type`],
    [isNarrowed(old, field), `${becomes}: texts that do not fit stay unchanged`],
    [field.unique && !old.unique, `${at} becomes unique: ${refuses} has the same value as another`],
    [
      target !== undefined && target !== old.references?.target,
      `${at} now refers to ${target}: a record whose value is not an id of ${target} is ${field.optional ? 'shown without it' : 'no longer shown'}`,
    ],
  ]
  return sentences.flatMap(([applies, sentence]) => (applies ? [sentence] : []))
}

/** Lists the new unique groups. A new optional field is NULL in every record, and NULL never collides. */
function newGroups(before: Feature, { unique = [], fields }: Feature) {
  const isEmpty = (name: string) => {
    const field = fields.find((each) => each.name === name)
    const isNew = !before.fields.some((each) => each.name === name)
    return isNew && field?.default === undefined
  }
  return unique.filter(
    (group) =>
      repeatFault('unique', group, before.unique ?? []) === undefined && !group.some(isEmpty),
  )
}

function isRequired({ optional, default: fallback }: Field): boolean {
  return !optional && fallback === undefined
}

/** Returns true if the stored values of the old type are valid for the new one. */
export function isCompatible({ type: old }: Field, { type }: Field): boolean {
  return old.kind === type.kind || (sources[type.kind] ?? []).includes(old.kind)
}

/** Returns true if a text type changes to one with a rule that existing texts can violate. */
function isNarrowed({ type: old }: Field, { type }: Field): boolean {
  if (!texts.includes(old.kind) || !texts.includes(type.kind) || old.kind === type.kind)
    return false
  return type.kind === 'string' ? old.kind === 'text' : type.kind !== 'text'
}

const texts: readonly FieldKind[] = ['string', 'text', 'email', 'uuid', 'enum']
const anyText: readonly FieldKind[] = [...texts, 'date', 'decimal', 'json']
const whole: readonly FieldKind[] = ['int', 'uint']

const sources: Readonly<Partial<Record<FieldKind, readonly FieldKind[]>>> = {
  string: anyText,
  text: anyText,
  email: texts,
  uuid: texts,
  enum: texts,
  int: whole,
  uint: whole,
  float: whole,
}

interface Named {
  readonly name: string
}

function without<T extends Named>(list: readonly T[], others: readonly T[]): readonly T[] {
  return list.filter(({ name }) => !others.some((other) => other.name === name))
}

function pairsOf<T extends Named>(before: readonly T[], after: readonly T[]) {
  return after.flatMap((field) => {
    const old = before.find(({ name }) => name === field.name)
    return old ? [{ old, field }] : []
  })
}
