import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { PostApi as Api } from '../client/post.api.js'
import type * as schema from '../src/handlers/post.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createPostBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updatePostBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.postReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.postListReply>>()
  expectTypeOf<Api['details']>().branded.toEqualTypeOf<z.input<typeof schema.replyWithParts>>()
  type Parameter = keyof typeof schema.postList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
