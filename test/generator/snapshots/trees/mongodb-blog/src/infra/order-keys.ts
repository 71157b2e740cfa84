import type { Field } from './collection.js'
import { decimalKey } from './order-key.js'

/** Returns whether lists compare the field: a decimal, which is stored as text, then has an order key. */
export function hasOrderKey({ type, range, sort }: Field): boolean {
  return type === 'decimal' && (range || sort || false)
}

/** Returns the stored field that is compared in place of a field. */
export function comparedName(field: Field): string {
  if (field.name === 'id') return '_id'
  return hasOrderKey(field) ? `_${field.name}_order` : field.name
}

/** Returns the value that is compared in place of a field's value. */
export function comparedValue(field: Field, value: unknown): unknown {
  return hasOrderKey(field) && value !== null ? decimalKey(String(value)) : value
}

/** Returns the order keys of a record, or of changes to a record. */
export function orderKeysOf(fields: readonly Field[], given: Readonly<Record<string, unknown>>) {
  const keyed = fields.filter((field) => hasOrderKey(field) && given[field.name] !== undefined)
  const keys = keyed.map((field) => [comparedName(field), comparedValue(field, given[field.name])])
  return Object.fromEntries(keys) as Record<string, unknown>
}
