import type { FieldName } from '../model/field-name.ts'
import type { ManyField, Reference } from '../model/model.ts'
import { entityNames } from '../model/names.ts'
import { readCall } from './field-type.ts'
import type { Modifier, Modifiers } from './modifiers.ts'
import { fault, isEmpty, parseSpan, type Span, textOf } from './span.ts'

/** Reads `fk` or `fk(Entity)` of a field. Returns `undefined` without `fk`. Throws `usage`. */
export function readReference(
  { name }: FieldName,
  nameSpan: Span,
  modifiers: Modifiers,
): Reference | undefined {
  const fk = modifiers.get('fk')
  const cascade = modifiers.get('cascade')
  if (fk === undefined) {
    if (cascade === undefined) return undefined
    throw fault(cascade.span, 'cascade needs fk: write uint:fk:cascade')
  }
  const stem = /^(.+)_id$/.exec(name)?.[1]
  if (stem === undefined) {
    throw fault(nameSpan, `the name of a foreign key ends in _id: write ${name}_id`)
  }
  return { target: targetOf(fk, stem), cascade: cascade !== undefined }
}

/** Reads the type `many(Entity)`. Returns `undefined` for any other type. Throws `usage`. */
export function readMany(
  names: FieldName,
  typeSpan: Span,
  modifiers: readonly Span[],
): ManyField | undefined {
  const { word, args } = readCall(typeSpan)
  if (textOf(word) !== 'many') return undefined
  if (args === undefined || isEmpty(args)) {
    throw fault(args ?? word, 'many needs an entity: write many(Tag)')
  }
  const [first] = modifiers
  if (first !== undefined) throw fault(first, 'many takes no modifiers')
  return { ...names, target: parseSpan(args, entityNames).pascal }
}

function targetOf({ value }: Modifier, stem: string): string {
  const { args } = readCall(value)
  if (args === undefined) return entityNames(stem).pascal
  if (isEmpty(args)) throw fault(args, 'fk() names no entity: write fk(User)')
  return parseSpan(args, entityNames).pascal
}
