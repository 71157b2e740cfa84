import { fieldName } from '../model/field-name.ts'
import type { Field } from '../model/model.ts'
import { readBounds } from './bounds.ts'
import { readDefault } from './default-value.ts'
import { parseType } from './field-type.ts'
import { readModifiers } from './modifiers.ts'
import { fault, isEmpty, type Span, within } from './span.ts'
import { split } from './split.ts'

/** A field and where its name stands. */
export interface ParsedField {
  readonly field: Field
  readonly name: Span
}

/** Reads `<name>:<type>[:<modifier>…]`. Throws `usage` at the first fault. */
export function parseField(span: Span): ParsedField {
  const [name = span, typeSpan, ...parts] = split(span, ':')
  const names = within(name, fieldName)
  if (typeSpan === undefined || isEmpty(typeSpan)) {
    throw fault(typeSpan ?? name, `${names.name} has no type: write ${names.name}:string`)
  }
  const type = parseType(typeSpan)
  const modifiers = readModifiers(parts, type.kind)
  const bounds = readBounds(type, modifiers)
  const given = modifiers.get('default')
  const field: Field = {
    ...names,
    type,
    optional: modifiers.has('optional'),
    unique: modifiers.has('unique'),
    index: modifiers.has('index'),
    ...(given === undefined ? {} : { default: readDefault(given.value, type, bounds) }),
    ...bounds,
  }
  return { field, name }
}
