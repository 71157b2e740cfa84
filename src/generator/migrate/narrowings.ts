import { emailMaxLength, intRange, stringLength, uintRange } from '../model/field-limits.ts'
import type { Feature, Field, Model } from '../model/model.ts'

/** A field whose new rule refuses values that the old rule allowed. */
export interface Narrowing {
  readonly table: string
  /** Name of the field and of its column. */
  readonly field: string
  readonly rule: Rule
  /** The change in words: `allows at most 80 characters, not 255`. */
  readonly words: string
}

/** A test of a stored value. Lengths count characters. */
export type Rule =
  | { readonly kind: 'max-length'; readonly limit: number }
  | { readonly kind: 'min-length'; readonly limit: number }
  | { readonly kind: 'max'; readonly limit: number }
  | { readonly kind: 'min'; readonly limit: number }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'format'; readonly format: 'email' | 'uuid' }
  | { readonly kind: 'digits' }

/** Returns the rules that stored values may break, in the order of the fields. */
export function narrowingsBetween(from: Model, to: Model): readonly Narrowing[] {
  return to.features.flatMap((feature) => {
    const before = from.features.find(({ entity }) => entity.pascal === feature.entity.pascal)
    return before ? narrowedFields(before, feature) : []
  })
}

/**
 * Returns a sentence for each field that allows fewer values although its column does not change. Responses still
 * contain stored values outside the new rule; requests with such values are refused.
 */
export function narrowings(from: Model, to: Model): readonly string[] {
  return narrowingsBetween(from, to).map(
    ({ table, field, words }) =>
      `${table}.${field} ${words}: stored values outside this rule stay unchanged`,
  )
}

function narrowedFields(before: Feature, after: Feature): readonly Narrowing[] {
  const table = after.entity.plural.snake
  return after.fields.flatMap((field) => {
    const old = before.fields.find(({ name }) => name === field.name)
    const narrower = old
      ? [...formats(old, field), ...lengths(old, field), ...ranges(old, field)]
      : []
    return narrower.map((each) => ({ table, field: field.name, ...each }))
  })
}

type Narrower = Pick<Narrowing, 'rule' | 'words'>

function formats({ type: old }: Field, { type }: Field): readonly Narrower[] {
  if (type.kind === 'enum') {
    const rule = { kind: 'one-of', values: type.values } as const
    if (old.kind !== 'enum') {
      return isText(old.kind) ? [{ rule, words: `allows only ${type.values.join(', ')}` }] : []
    }
    const removed = old.values.filter((value) => !type.values.includes(value))
    return removed.length > 0 ? [{ rule, words: `no longer allows ${removed.join(', ')}` }] : []
  }
  if (type.kind === 'decimal' && old.kind === 'decimal') {
    const isNarrower =
      type.scale < old.scale || type.precision - type.scale < old.precision - old.scale
    const words = `becomes decimal(${type.precision},${type.scale})`
    return isNarrower ? [{ rule: { kind: 'digits' }, words }] : []
  }
  if (type.kind !== 'email' && type.kind !== 'uuid') return []
  const isNew = old.kind !== type.kind && isText(old.kind)
  const words = type.kind === 'email' ? 'allows only email addresses' : 'allows only UUIDs'
  return isNew ? [{ rule: { kind: 'format', format: type.kind }, words }] : []
}

function lengths(old: Field, field: Field): readonly Narrower[] {
  // A format states its own limits.
  if (field.type.kind !== 'string' && field.type.kind !== 'text') return []
  const [before, after] = [lengthOf(old), lengthOf(field)]
  if (before === undefined || after === undefined) return []
  return [
    ...(after.max < before.max
      ? [
          {
            rule: { kind: 'max-length', limit: after.max } as const,
            words: `allows at most ${after.max} characters${not(before.max)}`,
          },
        ]
      : []),
    ...(after.min > before.min
      ? [
          {
            rule: { kind: 'min-length', limit: after.min } as const,
            words: `needs at least ${after.min} characters${before.min > 0 ? not(before.min) : ''}`,
          },
        ]
      : []),
  ]
}

function ranges(old: Field, field: Field): readonly Narrower[] {
  const [before, after] = [rangeOf(old), rangeOf(field)]
  if (before === undefined || after === undefined) return []
  return [
    ...(after.max < before.max
      ? [
          {
            rule: { kind: 'max', limit: after.max } as const,
            words: `allows at most ${after.max}${not(before.max)}`,
          },
        ]
      : []),
    ...(after.min > before.min
      ? [
          {
            rule: { kind: 'min', limit: after.min } as const,
            words: `allows no value below ${after.min}`,
          },
        ]
      : []),
  ]
}

function not(limit: number): string {
  return Number.isFinite(limit) ? `, not ${limit}` : ''
}

interface Range {
  readonly min: number
  readonly max: number
}

/** Returns the characters that a text may have, undefined for other types and for fixed formats. */
function lengthOf({ type, min, max }: Field): Range | undefined {
  switch (type.kind) {
    case 'string':
      return { min: min ?? 0, max: max ?? stringLength.standard }
    case 'text':
      return { min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY }
    case 'email':
      return { min: 0, max: emailMaxLength }
    case 'enum':
      return {
        min: Math.min(...type.values.map(({ length }) => length)),
        max: Math.max(...type.values.map(({ length }) => length)),
      }
    default:
      return undefined
  }
}

/** Returns the values that a number may have, undefined for other types. */
function rangeOf({ type, min, max }: Field): Range | undefined {
  switch (type.kind) {
    case 'int':
      return { min: min ?? intRange.min, max: max ?? intRange.max }
    case 'uint':
      return { min: min ?? uintRange.min, max: max ?? uintRange.max }
    case 'float':
    case 'decimal':
      return { min: min ?? Number.NEGATIVE_INFINITY, max: max ?? Number.POSITIVE_INFINITY }
    default:
      return undefined
  }
}

function isText(kind: Field['type']['kind']): boolean {
  return ['string', 'text', 'email', 'enum'].includes(kind)
}
