import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { TagApi as Api } from '../client/tag.api.js'
import type * as schema from '../src/handlers/tag.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createTagBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateTagBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.tagReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.tagListReply>>()
})
