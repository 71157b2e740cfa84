import type { FieldKind } from '../model/field-kinds.ts'
import { stringLength } from '../model/field-limits.ts'
import type { Feature, Field } from '../model/model.ts'
import { literal } from './literal.ts'
import { badSample, sample } from './sample.ts'

/** Template data of one field: TypeScript expressions, ready to print. */
export interface FieldView {
  name: string
  camel: string
  /** Type of the field in the domain. */
  tsType: string
  /** Comment on the type, or ''. */
  note: string
  /** Schema that parses the field of a body. */
  zod: string
  /** Schema of the field in a response if it differs from `zod`, otherwise ''. */
  replyZod: string
  /** Chained call that sets the default in a create, or ''. */
  zodDefault: string
  /** Expression that converts the record's value to JSON. */
  wire: string
  sample: string
  /** An invalid value for tests, or '' if the field accepts every JSON value. */
  bad: string
}

/** `subject` is the variable name of the record. */
export function fieldView(field: Field, feature: Feature, subject: string): FieldView {
  const nullable = field.optional ? '.nullable()' : ''
  const valueType = domainType(field, feature)
  const value = `${subject}.${field.camel}`
  return {
    name: field.name,
    camel: field.camel,
    tsType: field.optional ? `${valueType} | null` : valueType,
    note: notes[field.type.kind] ?? '',
    zod: zodOf(field, feature) + nullable,
    replyZod: field.type.kind === 'decimal' ? `z.string()${nullable}` : '',
    zodDefault: zodDefault(field),
    wire: field.type.kind === 'datetime' ? toIso(value, field.optional) : value,
    sample: sample(field),
    bad: badSample(field),
  }
}

/** Returns the name of the constant with an enum's values. */
export function enumConstant(feature: Feature, field: Field): string {
  return `${feature.entity.camel}${field.camel.charAt(0).toUpperCase()}${field.camel.slice(1)}Values`
}

/** Returns the type of a field's values in the domain, without NULL. */
export function domainType(field: Field, feature: Feature): string {
  return tsTypes[field.type.kind](field, feature)
}

/**
 * Returns the schema of any stored value of the field, without NULL, and the function of `src/http/fields.ts` that it
 * calls, or ''. Leaves out the field's own bounds: older records may exceed them.
 */
export function valueSchema({ type }: Field): { zod: string; helper: string } {
  if (type.kind === 'bool') return { zod: 'z.boolean()', helper: '' }
  const helper = type.kind === 'email' || type.kind === 'enum' ? 'text' : fieldHelper[type.kind]
  const size =
    type.kind === 'decimal' ? `{ precision: ${type.precision}, scale: ${type.scale} }` : ''
  return { zod: `${helper}(${size})`, helper }
}

/** Functions of the emitted `src/http/fields.ts` by field kind; '' if zod's own function suffices. */
export const fieldHelper: Readonly<Record<FieldKind, string>> = {
  string: 'text',
  text: 'text',
  int: 'integer',
  uint: 'unsigned',
  bool: '',
  float: 'float',
  decimal: 'decimal',
  date: 'date',
  datetime: 'dateTime',
  uuid: 'uuid',
  json: 'json',
  email: 'email',
  enum: '',
}

type TypeOf = (field: Field, feature: Feature) => string

const tsTypes: Readonly<Record<FieldKind, TypeOf>> = {
  string: () => 'string',
  text: () => 'string',
  int: () => 'number',
  uint: () => 'number',
  bool: () => 'boolean',
  float: () => 'number',
  decimal: () => 'string',
  date: () => 'string',
  datetime: () => 'Date',
  uuid: () => 'string',
  json: () => 'unknown',
  email: () => 'string',
  enum: (field, feature) => `(typeof ${enumConstant(feature, field)})[number]`,
}

const notes: Partial<Record<FieldKind, string>> = {
  decimal: 'An exact number.',
  date: 'A date, as YYYY-MM-DD.',
  json: 'Any JSON value.',
}

function zodOf(field: Field, feature: Feature): string {
  const { type } = field
  if (field.references !== undefined) return 'unsigned({ min: 1 })'
  if (type.kind === 'bool') return 'z.boolean()'
  if (type.kind === 'enum') return `z.enum(${enumConstant(feature, field)})`
  const size = type.kind === 'decimal' ? { precision: type.precision, scale: type.scale } : {}
  const entries = Object.entries({ ...size, ...lengthBounds(field) }).filter(
    ([, value]) => value !== undefined,
  )
  const options = entries.map(([key, value]) => `${key}: ${value}`).join(', ')
  const schema = `${fieldHelper[type.kind]}(${options && `{ ${options} }`})`
  // Stored in lower case, a unique address is unique regardless of case in every store.
  return type.kind === 'email' && field.unique ? `${schema}.toLowerCase()` : schema
}

/**
 * Returns the lengths of a text, or the bounds of a number that the field states itself. A required text is not empty unless
 * it has a `min`: forms send empty text for an absent value.
 */
export function lengthBounds({ type, min, max, optional, default: fallback }: Field) {
  const minLength = min ?? (optional || fallback ? undefined : 1)
  if (type.kind === 'string')
    return { min: minLength || undefined, max: max ?? stringLength.standard }
  if (type.kind === 'text') return { min: minLength || undefined, max }
  return { min, max }
}

function zodDefault({ type, optional, default: fallback }: Field): string {
  if (!fallback) return optional ? '.default(null)' : ''
  if (fallback.kind === 'now') {
    const now = type.kind === 'date' ? 'new Date().toISOString().slice(0, 10)' : 'new Date()'
    return `.optional().transform((value) => value ?? ${now})`
  }
  const value = String(fallback.value)
  if (type.kind === 'datetime') return `.default(new Date(${literal(value)}))`
  if (type.kind === 'json') return `.default(${value})`
  return `.default(${literal(fallback.value)})`
}

function toIso(value: string, optional: boolean): string {
  return optional ? `${value}?.toISOString() ?? null` : `${value}.toISOString()`
}
