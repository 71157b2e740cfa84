import { emailMaxLength, intRange, stringLength, uintRange } from '../model/field-limits.ts'
import type { Field } from '../model/model.ts'
import { literal } from './literal.ts'

/** Tests count their samples from 1 to less than this. */
const samples = 100

/**
 * An expression over `n` for a legal value of the field on the wire, in the form it is read back in; of two
 * numbers below `samples` it makes two values, where the field's bounds leave room for that.
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

/** An expression for a value that the field refuses, or '' where there is none. */
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
  const longest = `${camel} ${samples}`
  // One character of its own for each number, where no more fits.
  const text = longest.length <= max ? `\`${camel} \${n}\`` : 'String.fromCodePoint(0x4e00 + n)'
  return min > 1 ? `${text}.padEnd(${min}, 'x')` : text
}

function emailSample({ camel, min = 0, max = emailMaxLength }: Field): string {
  const roomy = `${camel}${samples}@example.com`
  const text = roomy.length <= max ? `\`${camel}\${n}@example.com\`` : `\`\${n}@a.co\``
  return min > 7 ? `${text}.padStart(${min}, 'x')` : text
}

function wholeSample({ min, max }: Field, range: { min: number; max: number }): string {
  const least = Math.ceil(min ?? Math.max(range.min, leastBelow(max)))
  const most = Math.floor(max ?? range.max)
  return within(least, most, 1)
}

function numberSample({ min, max }: Field, step: number): string {
  const least = min ?? leastBelow(max)
  return within(least, max ?? Number.POSITIVE_INFINITY, step)
}

/** Counted in cents, or in units where there are none: sums of fractions would miss zero. */
function decimalSample(
  { min, max }: Field,
  { precision, scale }: { precision: number; scale: number },
): string {
  const parts = 10 ** Math.min(scale, 2)
  const widest = 10 ** (precision - scale) * parts - 1
  const most = Math.min(Math.floor((max ?? Number.POSITIVE_INFINITY) * parts), widest)
  const least = Math.max(Math.ceil((min ?? leastBelow(max)) * parts), -widest)
  const count = within(least, most, 1)
  return parts === 1 ? `(${count}).toFixed(${scale})` : `((${count}) / ${parts}).toFixed(${scale})`
}

/** Where to count from when only the upper bound is given. */
function leastBelow(max: number | undefined): number {
  return max === undefined ? 0 : Math.min(0, Math.floor(max) - samples)
}

/** `least + n × step`, turned back to `least` where that would pass `most`. */
function within(least: number, most: number, step: number): string {
  const room = Math.floor((most - least) / step)
  const count = room >= samples ? 'n' : `(n % ${room + 1})`
  const steps = step === 1 ? count : `${count} * ${step}`
  return least === 0 ? steps : `${least} + ${steps}`
}
