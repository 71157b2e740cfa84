import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { AuthApi } from '../client/auth.js'
import type { UploadReply } from '../client/uploads.js'
import type * as auth from '../src/handlers/auth.schema.js'
import type * as upload from '../src/handlers/upload.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<AuthApi['register']>().branded.toEqualTypeOf<z.input<typeof auth.registerBody>>()
  expectTypeOf<AuthApi['login']>().branded.toEqualTypeOf<z.input<typeof auth.loginBody>>()
  expectTypeOf<AuthApi['reply']>().branded.toEqualTypeOf<ReturnType<typeof auth.toWire>>()
  expectTypeOf<UploadReply>().branded.toEqualTypeOf<ReturnType<typeof upload.toWire>>()
})
