import * as z from 'zod'

/** Range of a signed 32-bit integer, which every store supports. */
const maxInt = 2 ** 31 - 1

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

/** At most 254 characters (RFC 5321). */
export function email({ min = 0, max = 254 }: Bounds = {}) {
  return z.email({ abort: true }).min(min).max(max)
}

export function unsigned({ min = 0, max = maxInt }: Bounds = {}) {
  return z.int().min(min).max(max)
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
