import type { FieldType } from '../model/model.ts'

type Decimal = Extract<FieldType, { kind: 'decimal' }>

/**
 * A decimal as its wire string, with all its decimals (`1.5` of decimal(10,2) is `1.50`); undefined
 * for a text that is no decimal or has too many digits on either side of the point.
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

/** A wire string in units of its last decimal, to compare exactly. */
export function unitsOf(wire: string): bigint {
  return BigInt(wire.replace('.', ''))
}

/** A number without an exponent: `1e-7` is `0.0000001`. For numbers below 1e21. */
export function plain(value: number): string {
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  const decimals = digits.split('.')[1]?.length ?? 0
  return value.toFixed(decimals - Number(exponent))
}
