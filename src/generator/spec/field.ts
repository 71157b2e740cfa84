import { intRange, uintRange } from '../model/field-limits.ts'
import { fieldName } from '../model/field-name.ts'
import type { Field, FieldType, ManyField } from '../model/model.ts'
import { type Bounds, readBounds } from './bounds.ts'
import { readDefault } from './default-value.ts'
import { parseType } from './field-type.ts'
import { readModifiers } from './modifiers.ts'
import { readMany, readReference } from './relations.ts'
import { fault, isEmpty, parseSpan, type Span } from './span.ts'
import { split } from './split.ts'

/** A field or a many-to-many relation, with the span of its name. */
export interface ParsedField {
  readonly field: Field | ManyField
  readonly name: Span
}

export function isMany(field: Field | ManyField): field is ManyField {
  return 'target' in field
}

/** Reads `<name>:<type>[:<modifier>…]`. Throws `usage` at the first fault. */
export function parseField(span: Span): ParsedField {
  const [name = span, typeSpan, ...parts] = split(span, ':')
  const names = parseSpan(name, fieldName)
  if (typeSpan === undefined || isEmpty(typeSpan)) {
    throw fault(typeSpan ?? name, `${names.name} has no type: write ${names.name}:string`)
  }
  const many = readMany(names, typeSpan, parts)
  if (many !== undefined) return { field: many, name }
  const type = parseType(typeSpan)
  const modifiers = readModifiers(parts, type.kind)
  const bounds = readBounds(type, modifiers)
  assertRoomForUnique(modifiers.get('unique')?.span, type, bounds)
  const given = modifiers.get('default')
  const references = readReference(names, name, modifiers)
  const field: Field = {
    ...names,
    type,
    optional: modifiers.has('optional'),
    unique: modifiers.has('unique'),
    index: modifiers.has('index'),
    ...(given === undefined ? {} : { default: readDefault(given.value, type, bounds) }),
    ...bounds,
    ...(references === undefined ? {} : { references }),
  }
  return { field, name }
}

/** A unique number with fewer possible values is probably a mistake, and the emitted tests require as many values. */
const fewestUnique = 100

function assertRoomForUnique(unique: Span | undefined, type: FieldType, bounds: Bounds): void {
  if (unique === undefined) return
  const count = countValues(type, bounds)
  if (count >= fewestUnique) return
  throw fault(unique, `unique allows only ${count} records: remove it, or widen the field`)
}

/** Counts the values of an int, uint or decimal with these bounds. Returns `Infinity` for other types. */
function countValues(type: FieldType, { min, max }: Bounds): number {
  switch (type.kind) {
    case 'int':
      return (max ?? intRange.max) - (min ?? intRange.min) + 1
    case 'uint':
      return (max ?? uintRange.max) - (min ?? uintRange.min) + 1
    case 'decimal': {
      const parts = 10 ** type.scale
      const widest = 10 ** (type.precision - type.scale) - 1 / parts
      return Math.round(((max ?? widest) - (min ?? -widest)) * parts) + 1
    }
    default:
      return Number.POSITIVE_INFINITY
  }
}
