import type { FieldType } from '../model/model.ts'

type Decimal = Extract<FieldType, { kind: 'decimal' }>

/**
 * Returns the wire string of a decimal, padded to its scale: `1.5` of decimal(10,2) becomes `1.50`.
 * Returns `undefined` if the text is not a decimal or has too many digits on one side of the point.
 */
export function toWire(text: string, { precision, scale }: Decimal): string | undefined {
  const match = /^(-?)0*(\d+?)(?:\.(\d+))?$/.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const digits = whole === '0' ? 0 : whole.length
  if (digits > precision - scale || fraction.length > scale) return undefined
  const amount = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return /[1-9]/.test(amount) ? sign + amount : amount
}

/** Converts a wire string to an integer count of its last decimal. Comparing these is exact. */
export function unitsOf(wire: string): bigint {
  return BigInt(wire.replace('.', ''))
}

/** Prints a number without an exponent: `1e-7` becomes `0.0000001`. Requires a number below 1e21. */
export function plain(value: number): string {
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  const decimals = digits.split('.')[1]?.length ?? 0
  return value.toFixed(decimals - Number(exponent))
}
