import type { Field } from './collection.js'
import { decimalKey } from './order-key.js'

/**
 * Returns the value that lists compare in place of a field's value: index entries hold it. Numbers are compared as
 * numbers, texts by code point. NULL is undefined.
 */
export function comparedValue({ type }: Pick<Field, 'type'>, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (value instanceof Date) return value.toISOString()
  if (type === 'decimal') return decimalKey(String(value))
  return type === 'float' ? floatKey(Number(value)) : value
}

const signBit = 1n << 63n

/** Returns a text in the order of the numbers: DynamoDB has no numbers beyond 10^126. */
function floatKey(value: number): string {
  const view = new DataView(new ArrayBuffer(8))
  // -0 equals 0.
  view.setFloat64(0, value + 0)
  const bits = view.getBigUint64(0)
  const ordered = bits < signBit ? bits | signBit : ~bits
  return BigInt.asUintN(64, ordered).toString(16).padStart(16, '0')
}

/** Compares two values of `comparedValue`. NULL comes before every value. */
export function compareValues(one: unknown, other: unknown): number {
  if (one === undefined || other === undefined)
    return Number(one !== undefined) - Number(other !== undefined)
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}
