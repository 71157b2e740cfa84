import * as z from 'zod'

/** Range of a signed 32-bit integer, which every store supports. */
const maxInt = 2 ** 31 - 1

const yearsMessage = 'must lie in the years 1 to 9999'

interface Bounds {
  min?: number
  max?: number
}

/** Text that every store can hold: no NUL, no lone surrogate. `min` and `max` are lengths. */
export function text({ min, max }: Bounds = {}) {
  let schema = z.string()
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  return schema
    .refine(isStorable, 'must be well-formed text without NUL')
    .meta({ pattern: '^[^\\u0000]*$' })
}

export function unsigned({ min = 0, max = maxInt }: Bounds = {}) {
  return z.int().min(min).max(max)
}

/** An exact number. Parses a string or a JSON number to a string with `scale` digits after the point. */
export function decimal({
  precision,
  scale,
  min,
  max,
}: Bounds & { precision: number; scale: number }) {
  const whole = precision - scale
  const integer = whole === 0 ? '0' : `\\d{1,${whole}}`
  const fraction = scale === 0 ? '' : `(\\.\\d{1,${scale}})?`
  const digits = new RegExp(`^-?${integer}${fraction}$`)
  const message = `must be a number with at most ${whole} digits before the point and ${scale} after`
  const limit = 10 ** whole - 10 ** -scale
  const inJson = { description: message, minimum: min ?? -limit, maximum: max ?? limit }
  return z
    .union([z.string().regex(digits, message), z.number().meta(inJson)], {
      error: (issue) => (issue.input === undefined ? 'is required' : message),
    })
    .transform(String)
    .refine((value) => digits.test(value), { error: message, abort: true })
    .refine((value) => min === undefined || Number(value) >= min, `must be at least ${min}`)
    .refine((value) => max === undefined || Number(value) <= max, `must be at most ${max}`)
    .transform((value) => withScale(value, scale))
}

/** A date, as `YYYY-MM-DD`. */
export function date() {
  return z.iso.date({ abort: true }).refine((day) => day >= '0001', yearsMessage)
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

function withScale(value: string, scale: number): string {
  const [whole = '0', fraction = ''] = value.replace(/^(-?)0+(?=\d)/, '$1').split('.')
  const padded = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return /[1-9]/.test(padded) ? padded : padded.replace('-', '')
}
