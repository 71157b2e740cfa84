import { expectTypeOf } from 'vitest'
import type * as z from 'zod'
import type { CategoryApi as Api } from '../client/category.api.js'
import type * as schema from '../src/handlers/category.schema.js'

// The type check fails if a type of the client differs from its schema.
expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createCategoryBody>>()
expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateCategoryBody>>()
expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.categoryReply>>()
expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.categoryListReply>>()
expectTypeOf<keyof Api['query']>().toEqualTypeOf<keyof typeof schema.filters.shape>()
