/** A rule of stored values. Lengths count characters, as the emitted apps do. */
export type ValueRule =
  | { readonly kind: 'max-length' | 'min-length' | 'max' | 'min'; readonly limit: number }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'format'; readonly format: ValueFormat }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  /** A whole number. */
  | { readonly kind: 'whole' }
  /** A time at midnight in UTC. */
  | { readonly kind: 'midnight' }

export type ValueFormat =
  | 'email'
  | 'uuid'
  | 'number'
  | 'whole'
  | 'decimal'
  | 'bool'
  | 'date'
  | 'datetime'
  | 'text'

/** Returns true if a stored value fits the rule. NULL fits every rule. */
export function fits(rule: ValueRule, value: unknown): boolean {
  if (value === null || value === undefined) return true
  switch (rule.kind) {
    case 'max-length':
      return characters(value) <= rule.limit
    case 'min-length':
      return characters(value) >= rule.limit
    case 'max':
      return Number(value) <= rule.limit
    case 'min':
      return Number(value) >= rule.limit
    case 'one-of':
      return rule.values.includes(String(value))
    case 'format':
      return hasFormat(rule.format, value)
    case 'decimal':
      return fitsDecimal(rule, String(value))
    case 'whole':
      return Number.isInteger(Number(value))
    case 'midnight':
      return /T00:00:00(\.0+)?Z$/.test(timeOf(value))
  }
}

/** The emitted apps count UTF-16 units, as zod does. */
function characters(value: unknown): number {
  return textOf(value).length
}

/** Returns the text that a value becomes. */
export function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function timeOf(value: unknown): string {
  const time = value instanceof Date ? value : new Date(textOf(value))
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i
const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

function hasFormat(format: ValueFormat, value: unknown): boolean {
  switch (format) {
    case 'email':
      return email.test(textOf(value))
    case 'uuid':
      return uuid.test(textOf(value))
    case 'number':
      return typeof value === 'number'
    case 'whole':
      return Number.isInteger(value)
    case 'decimal':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
    case 'bool':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
    case 'datetime':
      return value instanceof Date || /^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/.test(textOf(value))
    case 'text':
      return typeof value === 'string'
  }
}

/** Compares digits as text: a number of JavaScript has only 16 of them. */
function fitsDecimal({ precision, scale }: { precision: number; scale: number }, text: string) {
  const [, whole = '', fraction = ''] = /^-?0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? []
  return whole.length <= precision - scale && fraction.length <= scale
}
