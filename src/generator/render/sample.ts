import { emailMaxLength, intRange, stringLength, uintRange } from '../model/field-limits.ts'
import type { Field } from '../model/model.ts'
import { literal } from './literal.ts'

/** Upper bound (exclusive) of the numbers of samples. */
export const sampleCount = 100

/**
 * Returns an expression over `n` for a valid JSON value of the field, in the form in which responses show it.
 * Different `n` below `sampleCount` give different values if the field's bounds have room.
 */
export function sample(field: Field): string {
  const { type } = field
  switch (type.kind) {
    case 'string':
    case 'text':
      return textSample(field)
    case 'email':
      return emailSample(field)
    case 'int':
      return wholeSample(field, intRange)
    case 'uint':
      return wholeSample(field, uintRange)
    case 'float':
      return numberSample(field, 0.5)
    case 'decimal':
      return decimalSample(field, type)
    case 'bool':
      return 'n % 2 === 0'
    case 'date':
      return 'new Date(Date.UTC(2020, 0, n)).toISOString().slice(0, 10)'
    case 'datetime':
      return 'new Date(Date.UTC(2020, 0, n)).toISOString()'
    case 'uuid':
      return '`00000000-0000-4000-8000-$' + "{String(n).padStart(12, '0')}`"
    case 'json':
      return '{ n }'
    case 'enum':
      return literal(type.values[0] ?? '')
  }
}

/** Returns an expression for an invalid value of the field, or '' if every value is valid. */
export function badSample({ type, optional }: Field): string {
  switch (type.kind) {
    case 'string':
    case 'text':
      return '1'
    case 'int':
    case 'uint':
      return '1.5'
    case 'bool':
    case 'float':
      return "'neither'"
    case 'json':
      return optional ? '' : 'null'
    default:
      return "'no such value'"
  }
}

function textSample({ camel, min = 0, max = stringLength.standard }: Field): string {
  const longest = `${camel} ${sampleCount}`
  // Use one distinct character per number if the field's name does not fit.
  const text = longest.length <= max ? `\`${camel} \${n}\`` : 'String.fromCodePoint(0x4e00 + n)'
  return min > 1 ? `${text}.padEnd(${min}, 'x')` : text
}

function emailSample({ camel, min = 0, max = emailMaxLength }: Field): string {
  const name = camel.toLowerCase()
  const longest = `${name}${sampleCount}@example.com`
  const text = longest.length <= max ? `\`${name}\${n}@example.com\`` : `\`\${n}@a.co\``
  return min > 7 ? `${text}.padStart(${min}, 'x')` : text
}

function wholeSample({ min, max }: Field, range: { min: number; max: number }): string {
  const lowest = Math.ceil(min ?? Math.max(range.min, defaultMin(max)))
  const highest = Math.floor(max ?? range.max)
  return inRange(lowest, highest, 1)
}

function numberSample({ min, max }: Field, step: number): string {
  const lowest = min ?? defaultMin(max)
  return inRange(lowest, max ?? Number.POSITIVE_INFINITY, step)
}

/** Counts in hundredths (or tenths, or units), because sums of binary fractions are inexact. */
function decimalSample(
  { min, max }: Field,
  { precision, scale }: { precision: number; scale: number },
): string {
  const parts = 10 ** Math.min(scale, 2)
  const widest = 10 ** (precision - scale) * parts - 1
  const highest = Math.min(Math.floor((max ?? Number.POSITIVE_INFINITY) * parts), widest)
  const lowest = Math.max(Math.ceil((min ?? defaultMin(max)) * parts), -widest)
  const count = inRange(lowest, highest, 1)
  return parts === 1 ? `(${count}).toFixed(${scale})` : `((${count}) / ${parts}).toFixed(${scale})`
}

/** Returns the first number to count from if the field has no minimum. */
function defaultMin(max: number | undefined): number {
  return max === undefined ? 0 : Math.min(0, Math.floor(max) - sampleCount)
}

/** Returns an expression for `lowest + n * step` that wraps around before it exceeds `highest`. */
function inRange(lowest: number, highest: number, step: number): string {
  const room = Math.floor((highest - lowest) / step)
  const count = room >= sampleCount ? 'n' : `(n % ${room + 1})`
  const steps = step === 1 ? count : `${count} * ${step}`
  return lowest === 0 ? steps : `${lowest} + ${steps}`
}
