import * as z from 'zod'
import type { OrderLine } from '../domain/order-line.js'
import { docOf } from '../http/crud-doc.js'
import { date, unsigned } from '../http/fields.js'
import { numeric, range, recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  product_id: unsigned({ min: 1 }),
  count: unsigned({ min: 1 }),
  day: date().nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'product']

export const createOrderLineBody = z.strictObject({ ...fields, day: fields.day.default(null) })

/** Has no defaults: absent fields stay unchanged. */
export const updateOrderLineBody = z.strictObject(fields).partial()

export const orderLineReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  product: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'ProductSummary' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const orderLineListReply = z.strictObject({
  order_lines: z.array(orderLineReply),
  ...pageFields,
})

export const orderLineList = listOf(
  'order_lines',
  {
    product_id: recordId(),
    ...range('count', numeric(unsigned())),
    ...range('day', date()),
  },
  { product_id: unsigned() },
)

export function toWire(orderLine: OrderLine): z.input<typeof orderLineReply> {
  return {
    id: orderLine.id,
    product_id: orderLine.productId,
    product: orderLine.product,
    count: orderLine.count,
    day: orderLine.day,
    created_at: orderLine.createdAt.toISOString(),
    updated_at: orderLine.updatedAt.toISOString(),
  }
}

export const orderLineDoc = docOf({
  path: '/api/v1/order-lines',
  one: 'order line',
  many: 'order lines',
  schema: 'OrderLine',
  create: createOrderLineBody,
  update: updateOrderLineBody,
  reply: orderLineReply,
  list: orderLineListReply,
  parameters: orderLineList.parameters,
  readOnly,
  statuses: { create: [404], update: [], remove: [] },
})
