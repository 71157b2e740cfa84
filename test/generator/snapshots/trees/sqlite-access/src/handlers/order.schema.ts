import * as z from 'zod'
import type { Order, OrderDetails } from '../domain/order.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'
import { memoReply, toWire as memoToWire } from './memo.schema.js'
import { orderLineReply, toWire as orderLineToWire } from './order-line.schema.js'

const fields = {
  note: text({ min: 1, max: 255 }),
  country_id: unsigned({ min: 1 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = [
  'id',
  'created_at',
  'updated_at',
  'customer_id',
  'customer',
  'country',
  'order_lines',
  'order_lines_total',
  'memos',
  'memos_total',
]

export const createOrderBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateOrderBody = z.strictObject(fields).partial()

export const orderReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  customer_id: z.int().positive(),
  customer: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'UserSummary' }),
  country: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'CountrySummary' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const replyWithParts = orderReply.extend({
  order_lines: z.array(orderLineReply.omit({ order: true })),
  order_lines_total: z.int(),
  memos: z.array(memoReply.omit({ order: true })),
  memos_total: z.int(),
})

export const orderListReply = z.strictObject({
  orders: z.array(orderReply),
  ...pageFields,
})

export const orderList = listOf(
  'orders',
  {
    customer_id: recordId(),
    country_id: recordId(),
  },
  { customer_id: unsigned(), country_id: unsigned() },
)

export function toWire(order: Order): z.input<typeof orderReply> {
  return {
    id: order.id,
    note: order.note,
    customer_id: order.customerId,
    customer: order.customer,
    country_id: order.countryId,
    country: order.country,
    created_at: order.createdAt.toISOString(),
    updated_at: order.updatedAt.toISOString(),
  }
}

export function toWireWithParts(order: OrderDetails): z.input<typeof replyWithParts> {
  return {
    ...toWire(order),
    order_lines: order.orderLines.map((part) => {
      const { order: _order, ...reply } = orderLineToWire({ ...part, order })
      return reply
    }),
    order_lines_total: order.orderLinesTotal,
    memos: order.memos.map((part) => {
      const { order: _order, ...reply } = memoToWire({ ...part, order })
      return reply
    }),
    memos_total: order.memosTotal,
  }
}

export const orderDoc = docOf({
  path: '/api/v1/orders',
  one: 'order',
  many: 'orders',
  schema: 'Order',
  create: createOrderBody,
  update: updateOrderBody,
  reply: orderReply,
  list: orderListReply,
  parameters: orderList.parameters,
  readOnly,
  details: replyWithParts,
  protect: 'all',
  statuses: { create: [404], update: [], remove: [409] },
})
