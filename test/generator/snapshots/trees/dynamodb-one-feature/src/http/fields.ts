import * as z from 'zod'

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

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
