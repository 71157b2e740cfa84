import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { TaskApi as Api } from '../client/task.api.js'
import type * as schema from '../src/handlers/task.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createTaskBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateTaskBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.taskReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.taskListReply>>()
  type Parameter = keyof typeof schema.taskList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
