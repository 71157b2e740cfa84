import * as z from 'zod'
import { text, unsigned } from './fields.js'

/** Query parameters that narrow a list: each may be left out. */
export function flag() {
  return once()
    .refine((value) => value === 'true' || value === 'false', 'must be true or false')
    .transform((value) => value === 'true')
    .pipe(z.boolean())
    .optional()
}

export function recordId() {
  return once()
    .regex(/^[1-9]\d*$/, 'must be a positive whole number')
    .transform(Number)
    .pipe(unsigned({ min: 1 }))
    .optional()
}

export function phrase() {
  return once().pipe(text()).optional()
}

function once() {
  return z.string({ error: 'must be given once' })
}
