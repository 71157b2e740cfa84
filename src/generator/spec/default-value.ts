import type { FieldKind } from '../model/field-kinds.ts'
import { emailMaxLength, intRange, stringLength, uintRange } from '../model/field-limits.ts'
import type { DefaultValue, FieldType } from '../model/model.ts'
import type { Bounds } from './bounds.ts'
import { plain, toWire, unitsOf } from './decimal.ts'
import { readValue } from './field-value.ts'
import { nearest } from './nearest.ts'
import { fault, type Span } from './span.ts'
import { isDate, toInstant } from './timestamp.ts'

/** Reads `default=`: a literal of the type within its bounds, or `now` for a date or datetime. Throws `usage`. */
export function readDefault(span: Span, type: FieldType, bounds: Bounds): DefaultValue {
  const text = readValue(span, 'default')
  if (text === 'now' && (type.kind === 'date' || type.kind === 'datetime')) return { kind: 'now' }
  const result = literals[type.kind](text, { type, bounds })
  if ('value' in result) return { kind: 'literal', value: result.value }
  throw fault(span, `the default must be ${result.expected}`)
}

interface Context {
  readonly type: FieldType
  readonly bounds: Bounds
}

/** The parsed literal, or the completion of the sentence "the default must be …". */
type Result = { readonly value: string | number | boolean } | { readonly expected: string }

const literals: Readonly<Record<FieldKind, (text: string, context: Context) => Result>> = {
  string: (text, { bounds }) =>
    characters(text, { min: bounds.min ?? 0, max: bounds.max ?? stringLength.standard }),
  text: (text, { bounds }) =>
    characters(text, { min: bounds.min ?? 0, max: bounds.max ?? Number.POSITIVE_INFINITY }),
  int: (text, { bounds }) => whole(text, { ...intRange, ...bounds }),
  uint: (text, { bounds }) => whole(text, { ...uintRange, ...bounds }),
  bool: (text) =>
    text === 'true' || text === 'false'
      ? { value: text === 'true' }
      : { expected: `true or false, not ${text}` },
  float: (text, { bounds }) => float(text, bounds),
  decimal: (text, context) => decimal(text, context),
  date: (text) =>
    isDate(text)
      ? { value: text }
      : { expected: `now or a date like 2026-01-31, from the years 1000 to 9999, not ${text}` },
  datetime: (text) => {
    const value = toInstant(text)
    return value === undefined
      ? { expected: `now or a quoted instant like "2026-01-31T12:00:00Z", not ${text}` }
      : { value }
  },
  uuid: (text) =>
    /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text)
      ? { value: text.toLowerCase() }
      : { expected: 'a UUID of RFC 9562, like 0190f6d6-7a3c-7cc0-b0d5-6a4bb3a3a1c4' },
  json: (text) => json(text),
  email: (text) =>
    text.length <= emailMaxLength &&
    /^[a-z0-9_+-]+(\.[a-z0-9_+-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i.test(text)
      ? { value: text }
      : { expected: `an email address of at most ${emailMaxLength} characters` },
  enum: (text, { type }) => member(text, type.kind === 'enum' ? type.values : []),
}

interface Range {
  readonly min: number
  readonly max: number
}

function characters(text: string, { min, max }: Range): Result {
  if (!text.isWellFormed() || /[^\P{Cc}\n\t]/u.test(text)) {
    return { expected: 'text without control characters' }
  }
  if (text.length >= min && text.length <= max) return { value: text }
  return { expected: `${min} to ${max} characters long, not ${text.length}` }
}

function whole(text: string, { min, max }: Range): Result {
  const value = Number(text) + 0
  const isLegal = /^-?\d+$/.test(text) && value >= min && value <= max
  return isLegal ? { value } : { expected: `a whole number from ${min} to ${max}, not ${text}` }
}

function float(text: string, { min, max }: Bounds): Result {
  const value = Number(text) + 0
  const isNumber = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(value)
  if (!isNumber) return { expected: `a number like 1.5, not ${text}` }
  if (min !== undefined && value < min) return { expected: `at least ${min}, not ${text}` }
  if (max !== undefined && value > max) return { expected: `at most ${max}, not ${text}` }
  return { value }
}

function decimal(text: string, { type, bounds }: Context): Result {
  if (type.kind !== 'decimal') throw new Error(`expected a decimal, not ${type.kind}`)
  const value = toWire(text, type)
  if (value === undefined) {
    return { expected: `a number that fits decimal(${type.precision},${type.scale}), not ${text}` }
  }
  const least = bounds.min === undefined ? undefined : toWire(plain(bounds.min), type)
  const greatest = bounds.max === undefined ? undefined : toWire(plain(bounds.max), type)
  if (least !== undefined && unitsOf(value) < unitsOf(least)) {
    return { expected: `at least ${least}, not ${value}` }
  }
  if (greatest !== undefined && unitsOf(value) > unitsOf(greatest)) {
    return { expected: `at most ${greatest}, not ${value}` }
  }
  return { value }
}

function json(text: string): Result {
  const expected =
    'JSON in double quotes with inner quotes written \\", like "{\\"a\\":1}" (instead of null, write optional)'
  // The key `__proto__` in a literal of the emitted code would set the object's prototype.
  if (text.includes('__proto__')) return { expected: 'JSON without a key __proto__' }
  const value = compactJson(text)
  return value === undefined || value === 'null' ? { expected } : { value }
}

/** Removes white space from JSON. Returns `undefined` for invalid JSON and for an infinite number. */
function compactJson(text: string): string | undefined {
  let allFinite = true
  try {
    const value: unknown = JSON.parse(text, (_key, item: unknown) => {
      if (typeof item === 'number' && !Number.isFinite(item)) allFinite = false
      return item
    })
    return allFinite ? JSON.stringify(value) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function member(text: string, values: readonly string[]): Result {
  if (values.includes(text)) return { value: text }
  const near = nearest(text, values)
  const proposal = near === undefined ? '' : `: did you mean ${near}?`
  return { expected: `one of ${values.join(', ')}, not ${text}${proposal}` }
}
