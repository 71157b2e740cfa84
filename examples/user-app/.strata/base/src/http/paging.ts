import * as z from 'zod'
import { camelKeys } from './camel-keys.js'

/**
 * Returns the schema of a list's query: `page` from 1, `page_size` from 1 to 100, and the filters. Refuses other
 * parameters: a misspelled filter would list all records.
 */
export function listQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z
    .strictObject(
      {
        page: wholeNumber(Number.MAX_SAFE_INTEGER).default(1),
        page_size: wholeNumber(100).default(20),
        ...filters,
      },
      { error: unknownParameter },
    )
    .transform((query) => camelKeys(query))
}

function unknownParameter({ code }: { code: string }) {
  return code === 'unrecognized_keys' ? 'is not a parameter of this list' : undefined
}

function wholeNumber(max: number) {
  return z
    .string({ error: 'must be given once' })
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, `must be from 1 to ${max}`)
}
