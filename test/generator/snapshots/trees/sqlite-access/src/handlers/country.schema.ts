import * as z from 'zod'
import type { Country } from '../domain/country.js'
import { docOf } from '../http/crud-doc.js'
import { text } from '../http/fields.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  name: text({ min: 1, max: 255 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createCountryBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateCountryBody = z.strictObject(fields).partial()

export const countryReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const countryListReply = z.strictObject({
  countries: z.array(countryReply),
  ...pageFields,
})

export const countryList = listOf('countries', {})

export function toWire(country: Country): z.input<typeof countryReply> {
  return {
    id: country.id,
    name: country.name,
    created_at: country.createdAt.toISOString(),
    updated_at: country.updatedAt.toISOString(),
  }
}

export const countryDoc = docOf({
  path: '/api/v1/countries',
  one: 'country',
  many: 'countries',
  schema: 'Country',
  create: createCountryBody,
  update: updateCountryBody,
  reply: countryReply,
  list: countryListReply,
  parameters: countryList.parameters,
  readOnly,
  protect: 'write',
  statuses: { create: [403], update: [403], remove: [403, 409] },
})
