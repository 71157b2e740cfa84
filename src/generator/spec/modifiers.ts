import type { FieldKind } from '../model/field-kinds.ts'
import { readCall } from './field-type.ts'
import { didYouMean } from './nearest.ts'
import { cut, fault, isEmpty, type Span, textOf } from './span.ts'

/** Modifiers in the order of a printed field. */
export const modifierNames = [
  'fk',
  'cascade',
  'optional',
  'unique',
  'index',
  'default',
  'min',
  'max',
] as const

export type ModifierName = (typeof modifierNames)[number]

/** The span of a modifier and of its value. Without a value, both spans are equal. */
export interface Modifier {
  readonly span: Span
  readonly value: Span
}

export type Modifiers = ReadonlyMap<ModifierName, Modifier>

/** Reads the modifiers after a field's type, in any order. Throws `usage` for a duplicate or unfit one. */
export function readModifiers(parts: readonly Span[], kind: FieldKind): Modifiers {
  const modifiers = new Map<ModifierName, Modifier>()
  for (const span of parts) {
    const { name, value } = readModifier(span)
    if (modifiers.has(name)) throw fault(span, `${name} is given twice: leave one out`)
    if (!allowed[kind].has(name)) throw fault(span, refusal(name, kind))
    modifiers.set(name, { span, value })
  }
  assertNotBoth(modifiers)
  assertForeignKey(modifiers)
  return modifiers
}

const always = ['optional', 'default'] as const
const key = [...always, 'unique', 'index'] as const
const bounded = [...key, 'min', 'max'] as const

/** Text and JSON are too long for an index. Bool and enum have too few values to be unique. */
const allowed: Readonly<Record<FieldKind, ReadonlySet<ModifierName>>> = {
  string: new Set(bounded),
  text: new Set([...always, 'min', 'max']),
  int: new Set(bounded),
  uint: new Set([...bounded, 'fk', 'cascade']),
  bool: new Set([...always, 'index']),
  float: new Set(bounded),
  decimal: new Set(bounded),
  date: new Set(key),
  datetime: new Set(key),
  uuid: new Set(key),
  json: new Set(always),
  email: new Set(key),
  enum: new Set([...always, 'index']),
}

function readModifier(span: Span): { name: ModifierName; value: Span } {
  if (isEmpty(span)) throw fault(span, 'a modifier is missing after the :')
  const text = textOf(span)
  const equals = text.indexOf('=')
  const [word, value] = equals === -1 ? [span, undefined] : cut(span, equals, 1)
  const call = readCall(word)
  const isForeignKey = textOf(call.word) === 'fk'
  const name = modifierNames.find((known) => known === textOf(isForeignKey ? call.word : word))
  if (name === undefined) throw unknownModifier(word)
  const takesValue = name === 'default' || name === 'min' || name === 'max'
  if (takesValue && value === undefined) throw fault(span, `${name} needs a value: ${name}=…`)
  if (!takesValue && value !== undefined) throw fault(span, `${name} takes no value`)
  return { name, value: value ?? span }
}

function unknownModifier(span: Span): Error {
  const word = textOf(span)
  const list = `the modifiers are ${modifierNames.join(', ')}`
  return fault(
    span,
    `unknown modifier ${JSON.stringify(word)}:${didYouMean(word, modifierNames)} ${list} (put a value with : or , in double quotes)`,
  )
}

function refusal(name: ModifierName, kind: FieldKind): string {
  if (name === 'unique') return `${kind} can't be unique`
  if (name === 'index') return `${kind} can't be indexed`
  if (name === 'fk' || name === 'cascade') return `a foreign key is a uint: write uint:${name}`
  return `${kind} takes no ${name}`
}

/** The referenced ids determine the values of a foreign key. */
function assertForeignKey(modifiers: Modifiers): void {
  if (!modifiers.has('fk')) return
  for (const name of ['default', 'min', 'max'] as const) {
    const given = modifiers.get(name)
    if (given !== undefined) throw fault(given.span, `a foreign key takes no ${name}`)
  }
}

function assertNotBoth(modifiers: Modifiers): void {
  const given = modifiers.get('default')
  if (given === undefined || !modifiers.has('unique')) return
  throw fault(
    given.span,
    "a unique field can't have a default: a second record would repeat the value",
  )
}
