import * as z from 'zod'
import type { Page } from '../repositories/repository.js'

/** Query parameters of every list: `page` from 1, `page_size` from 1 to 100. */
export const pageQuery = z
  .object({
    page: wholeNumber(Number.MAX_SAFE_INTEGER).default(1),
    page_size: wholeNumber(100).default(20),
  })
  .transform(toPage)

function toPage({ page, page_size }: { page: number; page_size: number }): Page {
  return { page, pageSize: page_size }
}

function wholeNumber(max: number) {
  return z
    .string({ error: 'must be given once' })
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`)
}
