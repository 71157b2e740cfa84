import * as z from 'zod'

/** An optional query parameter, `true` or `false`. */
export function flag() {
  return singleValue()
    .refine((value) => value === 'true' || value === 'false', 'must be true or false')
    .transform((value) => value === 'true')
    .pipe(z.boolean())
    .optional()
}

/** Refuses a repeated parameter, which the query parser turns into an array. */
export function singleValue() {
  return z.string({ error: 'must be given once' })
}
