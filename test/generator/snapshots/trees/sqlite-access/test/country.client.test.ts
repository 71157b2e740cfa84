import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { CountryApi as Api } from '../client/country.api.js'
import type * as schema from '../src/handlers/country.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createCountryBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateCountryBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.countryReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.countryListReply>>()
})
