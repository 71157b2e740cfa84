import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { PersonApi as Api } from '../client/person.api.js'
import type * as schema from '../src/handlers/person.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createPersonBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updatePersonBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.personReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.personListReply>>()
  type Parameter = keyof typeof schema.personList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
