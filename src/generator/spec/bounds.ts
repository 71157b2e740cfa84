import {
  decimalBoundDigits,
  indexedMaxLength,
  intRange,
  stringLength,
  textLength,
  uintRange,
} from '../model/field-limits.ts'
import type { FieldType } from '../model/model.ts'
import { plain, toWire } from './decimal.ts'
import { readValue } from './field-value.ts'
import type { Modifiers } from './modifiers.ts'
import { fault, type Span } from './span.ts'

/** A field's `min` and `max`. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Reads `min=` and `max=`: lengths of a string or text, values of a number. */
export function readBounds(type: FieldType, modifiers: Modifiers): Bounds {
  const min = readBound(type, modifiers, 'min')
  const max = readBound(type, modifiers, 'max')
  const greatest = max ?? (type.kind === 'string' ? stringLength.standard : undefined)
  if (min !== undefined && greatest !== undefined && min > greatest) {
    const limit = max === undefined ? `the ${greatest} characters of a string` : `max=${max}`
    throw fault(spanOfBound(modifiers, 'min'), `min=${min} is more than ${limit}`)
  }
  if (max !== undefined && type.kind === 'string') assertIndexable(modifiers, max)
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

/** Returns the canonical text of a bound. */
export function printBound(type: FieldType, value: number): string {
  return type.kind === 'decimal' ? plain(value) : String(value)
}

type Name = 'min' | 'max'

function readBound(type: FieldType, modifiers: Modifiers, name: Name): number | undefined {
  const modifier = modifiers.get(name)
  if (modifier === undefined) return undefined
  const text = readValue(modifier.value, name)
  const value = type.kind === 'decimal' ? decimalBound(text, type) : numberBound(text, type, name)
  if (value !== undefined) return value
  throw fault(modifier.value, `${name} must be ${boundRule(type, name)}, not ${text}`)
}

/** Replaces `-0` by 0: `-0` prints as `0`, so that the printed field would not equal the parsed field. */
function numberBound(text: string, type: FieldType, name: Name): number | undefined {
  const pattern = type.kind === 'float' ? /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i : /^-?\d+$/
  const value = Number(text) + 0
  const { min, max } = rangeOf(type, name)
  return pattern.test(text) && value >= min && value <= max ? value : undefined
}

function decimalBound(
  text: string,
  type: Extract<FieldType, { kind: 'decimal' }>,
): number | undefined {
  const wire = toWire(text, type)
  if (wire === undefined) return undefined
  const value = Number(wire) + 0
  const significant = text.replace(/[-.]/g, '').replace(/^0+|0+$/g, '')
  return significant.length <= decimalBoundDigits && Math.abs(value) < 1e21 ? value : undefined
}

function rangeOf(type: FieldType, name: Name): { min: number; max: number } {
  if (type.kind === 'int') return intRange
  if (type.kind === 'uint') return uintRange
  if (type.kind === 'float') return { min: -Number.MAX_VALUE, max: Number.MAX_VALUE }
  const length = type.kind === 'text' ? textLength : stringLength
  return { min: name === 'max' ? 1 : length.min, max: length.max }
}

function boundRule(type: FieldType, name: Name): string {
  if (type.kind === 'float') return 'a number'
  if (type.kind === 'decimal') {
    return `a decimal(${type.precision},${type.scale}) of at most ${decimalBoundDigits} digits`
  }
  const { min, max } = rangeOf(type, name)
  return `a whole number from ${min} to ${max}`
}

function assertIndexable(modifiers: Modifiers, max: number): void {
  if (max <= indexedMaxLength || !(modifiers.has('unique') || modifiers.has('index'))) return
  throw fault(
    spanOfBound(modifiers, 'max'),
    `a unique or indexed string has at most ${indexedMaxLength} characters, not ${max}`,
  )
}

function spanOfBound(modifiers: Modifiers, name: Name): Span {
  const modifier = modifiers.get(name)
  if (modifier === undefined) throw new Error(`the field has no modifier ${name}`)
  return modifier.value
}
