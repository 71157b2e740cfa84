import * as z from 'zod'
import type { Memo } from '../domain/memo.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  order_id: unsigned({ min: 1 }),
  text: text({ min: 1, max: 255 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'author_id', 'order', 'author']

export const createMemoBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateMemoBody = z.strictObject(fields).partial()

export const memoReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  author_id: z.int().positive(),
  order: z
    .strictObject({ id: z.int().positive(), note: z.string() })
    .register(components, { id: 'OrderSummary' }),
  author: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'UserSummary' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const memoListReply = z.strictObject({
  memos: z.array(memoReply),
  ...pageFields,
})

export const memoList = listOf(
  'memos',
  {
    order_id: recordId(),
    author_id: recordId(),
  },
  { order_id: unsigned(), author_id: unsigned() },
)

export function toWire(memo: Memo): z.input<typeof memoReply> {
  return {
    id: memo.id,
    order_id: memo.orderId,
    order: memo.order,
    author_id: memo.authorId,
    author: memo.author,
    text: memo.text,
    created_at: memo.createdAt.toISOString(),
    updated_at: memo.updatedAt.toISOString(),
  }
}

export const memoDoc = docOf({
  path: '/api/v1/memos',
  one: 'memo',
  many: 'memos',
  schema: 'Memo',
  create: createMemoBody,
  update: updateMemoBody,
  reply: memoReply,
  list: memoListReply,
  parameters: memoList.parameters,
  readOnly,
  protect: 'all',
  statuses: { create: [404], update: [403], remove: [403] },
})
