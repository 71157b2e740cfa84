import * as z from 'zod'

/** What every kind of store holds in an integer: 32 bits, signed. */
const minInt = -(2 ** 31)
const maxInt = 2 ** 31 - 1

/** The last doubles before infinity get lost on the way to a store and back. */
const maxFloat = 1e308

/** Stores and ISO 8601 agree on these years; an offset can lead out of them. */
const firstInstant = new Date('0001-01-01T00:00:00.000Z')
const lastInstant = new Date('9999-12-31T23:59:59.999Z')
const years = 'must lie in the years 1 to 9999'

/** As deep as every kind of store reads: MariaDB goes no further than 31 lists in one another. */
const maxJsonDepth = 30

/** Records that one names at once. */
const maxRelated = 100

interface Bounds {
  min?: number
  max?: number
}

/** Text as every kind of store keeps it: no NUL, no half of a surrogate pair. Bounds are lengths. */
export function text({ min, max }: Bounds = {}) {
  let schema = z.string()
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  return schema.refine(isStorable, 'must be well-formed text without NUL')
}

/** At most 254 characters (RFC 5321). */
export function email({ min = 0, max = 254 }: Bounds = {}) {
  return z.email({ abort: true }).min(min).max(max)
}

export function integer({ min = minInt, max = maxInt }: Bounds = {}) {
  return z.int().min(min).max(max)
}

export function unsigned({ min = 0, max = maxInt }: Bounds = {}) {
  return z.int().min(min).max(max)
}

export function float({ min = -maxFloat, max = maxFloat }: Bounds = {}) {
  return z.number().min(min).max(max)
}

/** An exact number: a string or a JSON number in, always a string with `scale` digits after the point out. */
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
  return z
    .union([z.string(), z.number()], {
      error: (issue) => (issue.input === undefined ? 'is required' : message),
    })
    .transform(String)
    .refine((value) => digits.test(value), { error: message, abort: true })
    .refine((value) => min === undefined || Number(value) >= min, `must be at least ${min}`)
    .refine((value) => max === undefined || Number(value) <= max, `must be at most ${max}`)
    .transform((value) => withScale(value, scale))
}

/** A day, as `YYYY-MM-DD`. */
export function date() {
  return z.iso.date({ abort: true }).refine((day) => day >= '0001', years)
}

/** An instant, with its offset from UTC. */
export function dateTime() {
  return z.iso
    .datetime({ offset: true, abort: true })
    .transform((value) => new Date(value))
    .refine((at) => at >= firstInstant && at <= lastInstant, years)
}

export function uuid() {
  return z.uuid().transform((value) => value.toLowerCase())
}

/** Any JSON value but null, as deep as `maxJsonDepth`. */
export function json() {
  return z
    .unknown()
    .refine((value) => value !== undefined, 'is required')
    .refine((value) => value !== null, 'must not be null')
    .refine(
      isStorableJson,
      `must be JSON of finite numbers and well-formed text, without __proto__, at most ${maxJsonDepth} levels deep`,
    )
}

/** Other records by their slugs, or as they were read; each counts once. */
export function slugs() {
  const slug = text({ min: 1, max: 255 })
  return z
    .array(
      z.union([slug, z.looseObject({ slug })], { error: 'must be a slug, or a record with one' }),
    )
    .max(maxRelated)
    .transform((items) => [
      ...new Set(items.map((item) => (typeof item === 'string' ? item : item.slug))),
    ])
}

/** Other records by their ids, or as they were read; each counts once. */
export function ids() {
  const id = unsigned({ min: 1 })
  return z
    .array(z.union([id, z.looseObject({ id })], { error: 'must be an id, or a record with one' }))
    .max(maxRelated)
    .transform((items) => [
      ...new Set(items.map((item) => (typeof item === 'number' ? item : item.id))),
    ])
}

function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0')
}

/** Walks level by level, as what is too deep would exhaust the stack. */
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

/** A number beyond a double's range is parsed as infinity, which JSON can't say. */
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
