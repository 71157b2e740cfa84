import * as z from 'zod'
import { text, unsigned } from './fields.js'

/** An optional query parameter, `true` or `false`. */
export function flag() {
  return singleValue()
    .refine((value) => value === 'true' || value === 'false', 'must be true or false')
    .transform((value) => value === 'true')
    .pipe(z.boolean())
    .optional()
}

/** An optional query parameter with the id of a record. */
export function recordId() {
  return singleValue()
    .regex(/^[1-9]\d*$/, 'must be a positive whole number')
    .transform(Number)
    .pipe(unsigned({ min: 1 }))
    .optional()
}

/** An optional query parameter with text. */
export function phrase() {
  return singleValue().pipe(text()).optional()
}

/** Refuses a repeated parameter, which the query parser turns into an array. */
export function singleValue() {
  return z.string({ error: 'must be given once' })
}
