import * as z from 'zod'

/** Range of a signed 32-bit integer, which every store supports. */
const maxInt = 2 ** 31 - 1

/** Maximum number of related records in one list. */
const maxRelated = 100

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

/** Parses a list of slugs, or of objects with a `slug`, to slugs without duplicates. */
export function slugs() {
  const slug = text({ min: 1, max: 255 })
  return z
    .array(
      z.union([slug, z.object({ slug })], { error: 'must be a slug, or an object with a slug' }),
    )
    .max(maxRelated)
    .transform((items) => [
      ...new Set(items.map((item) => (typeof item === 'string' ? item : item.slug))),
    ])
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}
