import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { ReportApi as Api } from '../client/report.api.js'
import type * as schema from '../src/handlers/report.schema.js'

// `npm run check` compiles this file: the type check fails if a type of the client differs from its schema.
test('the client has the types of the schemas', () => {
  expectTypeOf<Api['create']>().branded.toEqualTypeOf<z.input<typeof schema.createReportBody>>()
  expectTypeOf<Api['update']>().branded.toEqualTypeOf<z.input<typeof schema.updateReportBody>>()
  expectTypeOf<Api['reply']>().branded.toEqualTypeOf<z.input<typeof schema.reportReply>>()
  expectTypeOf<Api['list']>().branded.toEqualTypeOf<z.input<typeof schema.reportListReply>>()
  expectTypeOf<Api['details']>().branded.toEqualTypeOf<z.input<typeof schema.replyWithParts>>()
  type Parameter = keyof typeof schema.reportList.parameters.shape
  type Paging = 'page' | 'page_size' | 'sort' | 'cursor'
  expectTypeOf<keyof Api['query']>().toEqualTypeOf<Exclude<Parameter, Paging>>()
})
