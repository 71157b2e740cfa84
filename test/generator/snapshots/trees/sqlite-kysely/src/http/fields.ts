import * as z from 'zod'

/** Range of a signed 32-bit integer, which every store supports. */
const maxInt = 2 ** 31 - 1

const yearsMessage = 'must lie in the years 1 to 9999'

/** Nesting that every store supports: MariaDB reads at most 31 nested arrays. */
const maxJsonDepth = 30

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

/** Any JSON value except null, at most `maxJsonDepth` levels deep. */
export function json() {
  return z
    .unknown()
    .refine((value) => value !== undefined, 'is required')
    .refine((value) => value !== null, 'must not be null')
    .refine(
      isStorableJson,
      `must be JSON of finite numbers and well-formed text, without __proto__, at most ${maxJsonDepth} levels deep`,
    )
    .meta({ not: { type: 'null' } })
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

/** Walks level by level: recursion into a deeply nested value would overflow the stack. */
function isStorableJson(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth || !level.every(isStorableValue)) return false
    const objects = level.filter((item) => typeof item === 'object' && item !== null)
    if (!objects.every((object) => Object.keys(object).every(isStorableKey))) return false
    level = objects.flatMap((object) => Object.values(object))
  }
  return true
}

/** `JSON.parse` reads numbers beyond a double's range as Infinity, which JSON cannot represent. */
function isStorableValue(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  return typeof value !== 'number' || Number.isFinite(value)
}

function isStorableKey(key: string): boolean {
  return key !== '__proto__' && isStorable(key)
}

function withScale(value: string, scale: number): string {
  const [whole = '0', fraction = ''] = value.replace(/^(-?)0+(?=\d)/, '$1').split('.')
  const padded = scale === 0 ? whole : `${whole}.${fraction.padEnd(scale, '0')}`
  return /[1-9]/.test(padded) ? padded : padded.replace('-', '')
}
