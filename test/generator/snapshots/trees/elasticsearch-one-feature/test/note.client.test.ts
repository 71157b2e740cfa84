import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { NoteApi as Api } from '../client/note.api.js'
import type * as schema from '../src/handlers/note.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createNoteBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateNoteBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.noteReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.noteListReply>>()
  type Parameter = keyof typeof schema.noteList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
