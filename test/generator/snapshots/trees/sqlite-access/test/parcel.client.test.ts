import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { ParcelApi as Api } from '../client/parcel.api.js'
import type * as schema from '../src/handlers/parcel.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createParcelBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateParcelBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.parcelReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.parcelListReply>>()
  type Parameter = keyof typeof schema.parcelList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
