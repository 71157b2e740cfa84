import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { MemoApi as Api } from '../client/memo.api.js'
import type * as schema from '../src/handlers/memo.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createMemoBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateMemoBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.memoReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.memoListReply>>()
  type Parameter = keyof typeof schema.memoList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
