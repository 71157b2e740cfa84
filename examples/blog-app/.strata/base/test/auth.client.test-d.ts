import { expectTypeOf } from 'vitest'
import type * as z from 'zod'
import type { AuthApi } from '../client/auth.js'
import type { UploadReply } from '../client/uploads.js'
import type * as auth from '../src/handlers/auth.schema.js'
import type * as upload from '../src/handlers/upload.schema.js'

// The type check fails if a type of the client differs from its schema.
expectTypeOf<AuthApi['register']>().branded.toEqualTypeOf<z.input<typeof auth.registerBody>>()
expectTypeOf<AuthApi['login']>().branded.toEqualTypeOf<z.input<typeof auth.loginBody>>()
expectTypeOf<AuthApi['reply']>().branded.toEqualTypeOf<ReturnType<typeof auth.toWire>>()
expectTypeOf<UploadReply>().branded.toEqualTypeOf<ReturnType<typeof upload.toWire>>()
