import { stringLength } from '../model/field-limits.ts'
import type { Feature, Field, FieldKind } from '../model/model.ts'
import { literal } from './literal.ts'
import { badSample, sample } from './sample.ts'

/** One field as the templates see it: expressions of TypeScript, ready to print. */
export interface FieldView {
  name: string
  camel: string
  /** Its type inside the app. */
  tsType: string
  /** A comment on the type, or ''. */
  note: string
  /** What parses it from a body. */
  zod: string
  /** What describes it in a reply where that is not `zod`, or ''. */
  replyZod: string
  /** What a body that creates gives when it leaves the field out, as a chained call, or ''. */
  zodDefault: string
  /** From the record to the wire. */
  wire: string
  sample: string
  /** A value that is refused, or '' where every JSON value is accepted. */
  bad: string
}

/** `subject` is the name of the variable that holds the record. */
export function fieldView(field: Field, feature: Feature, subject: string): FieldView {
  const nullable = field.optional ? '.nullable()' : ''
  const valueType = tsTypes[field.type.kind](field, feature)
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

/** The constant that lists an enum's values. */
export function enumConstant(feature: Feature, field: Field): string {
  return `${feature.entity.camel}${field.camel.charAt(0).toUpperCase()}${field.camel.slice(1)}Values`
}

/** The helper of `src/http/fields.ts` that a kind's schema calls; none for what zod has itself. */
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
  date: 'A day, as YYYY-MM-DD.',
  json: 'Any JSON value.',
}

function zodOf(field: Field, feature: Feature): string {
  const { type } = field
  if (field.references !== undefined) return 'unsigned({ min: 1 })'
  if (type.kind === 'bool') return 'z.boolean()'
  if (type.kind === 'enum') return `z.enum(${enumConstant(feature, field)})`
  const size = type.kind === 'decimal' ? { precision: type.precision, scale: type.scale } : {}
  const given = Object.entries({ ...size, ...bounds(field) }).filter(
    ([, value]) => value !== undefined,
  )
  const options = given.map(([key, value]) => `${key}: ${value}`).join(', ')
  return `${fieldHelper[type.kind]}(${options && `{ ${options} }`})`
}

/** A required text is not empty, unless its `min` says so: an empty one is how forms say "nothing". */
function bounds({ type, min, max, optional, default: fallback }: Field) {
  const least = min ?? (optional || fallback ? undefined : 1)
  if (type.kind === 'string') return { min: least || undefined, max: max ?? stringLength.standard }
  if (type.kind === 'text') return { min: least || undefined, max }
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
