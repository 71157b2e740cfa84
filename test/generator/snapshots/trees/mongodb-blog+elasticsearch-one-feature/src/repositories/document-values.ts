import type { Field } from '../infra/collection.js'
import type { Document } from './document-store.js'

/** Stores JSON as text, because its keys can have a meaning for the store. */
export function toStored({ type }: Field, value: unknown): unknown {
  if (type === 'json' && value !== null) return JSON.stringify(value)
  return type === 'decimal' && typeof value === 'string' ? withoutTrailingZeros(value) : value
}

export function fromStored({ type, name, scale = 0 }: Field, document: Document): unknown {
  const value = document[name] ?? null
  if (typeof value !== 'string') return value
  if (type === 'json') return JSON.parse(value)
  return type === 'decimal' ? withScale(value, scale) : value
}

/** Removes trailing zeros, so that equal numbers are equal texts even if the field's scale changes. */
function withoutTrailingZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}

function withScale(decimal: string, scale: number): string {
  const [whole, fraction = ''] = decimal.split('.')
  return scale === 0 ? decimal : `${whole}.${fraction.padEnd(scale, '0')}`
}
