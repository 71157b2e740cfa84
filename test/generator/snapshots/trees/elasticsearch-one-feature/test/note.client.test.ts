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
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<keyof typeof schema.filters.shape>()
})
