import type { Feature, Field, FieldKind, Model } from '../../model/model.ts'

/**
 * What a person must agree to before the fields of documents change: one sentence for each thing that is lost, and
 * for each that keeps the app from starting on records which do not fit it. The store itself forgets nothing.
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
      (field) => `${at(field)} is dropped: its values stay in the store, and nothing reads them`,
    ),
    ...without(before.many, after.many).map(
      (list) =>
        `the relation ${at(list)} is dropped: its links stay in the store, and nothing reads them`,
    ),
    ...without(after.fields, before.fields)
      .filter(isRequired)
      .map((field) => `${at(field)} is required and has no default: ${refuses} is there`),
    ...pairs.flatMap(({ old, field }) => fieldLosses(old, field, at(field))),
    ...pairsOf(before.many, after.many)
      .filter(({ old, field }) => old.target !== field.target)
      .map(
        ({ field }) =>
          `the relation ${at(field)} is with ${field.target} from now on: its links stay, and are read as ids of those`,
      ),
  ]
}

const refuses = 'the app refuses to start if a record'

function fieldLosses(old: Field, field: Field, at: string): readonly string[] {
  const becomes = `${at} changes from ${old.type.kind} to ${field.type.kind}`
  const target = field.references?.target
  const sentences: readonly [boolean, string][] = [
    [isRequired(field) && old.optional, `${at} is required from now on: ${refuses} has none`],
    [!isKept(old, field), `${becomes}: ${refuses} has a ${old.type.kind}`],
    [isNarrowed(old, field), `${becomes}: texts beyond that stay as they are`],
    [field.unique && !old.unique, `${at} is unique: ${refuses} shares its value with another`],
    [
      target !== undefined && target !== old.references?.target,
      `${at} refers to ${target} from now on: a value that is the id of none stays, and its record is ${field.optional ? 'shown without one' : 'no longer shown'}`,
    ],
  ]
  return sentences.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []))
}

function isRequired({ optional, default: fallback }: Field): boolean {
  return !optional && fallback === undefined
}

/** Whether every value of the one is kept like one of the other. */
function isKept({ type: old }: Field, { type }: Field): boolean {
  return old.kind === type.kind || (sources[type.kind] ?? []).includes(old.kind)
}

/** Whether a text that may be longer, or anything, becomes one with a rule. */
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
