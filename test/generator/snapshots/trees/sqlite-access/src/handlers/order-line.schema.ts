import * as z from 'zod'
import type { OrderLine, OrderLineDetails } from '../domain/order-line.js'
import { docOf } from '../http/crud-doc.js'
import { unsigned } from '../http/fields.js'
import { numeric, range, recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'
import { parcelReply, toWire as parcelToWire } from './parcel.schema.js'

const fields = {
  order_id: unsigned({ min: 1 }),
  count: unsigned({ min: 1 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'order', 'parcels', 'parcels_total']

export const createOrderLineBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateOrderLineBody = z.strictObject(fields).partial()

export const orderLineReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  order: z
    .strictObject({ id: z.int().positive(), note: z.string() })
    .register(components, { id: 'OrderSummary' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const replyWithParts = orderLineReply.extend({
  parcels: z.array(parcelReply.omit({ order_line: true })),
  parcels_total: z.int(),
})

export const orderLineListReply = z.strictObject({
  order_lines: z.array(orderLineReply),
  ...pageFields,
})

export const orderLineList = listOf(
  'order_lines',
  {
    order_id: recordId(),
    ...range('count', numeric(unsigned())),
  },
  { order_id: unsigned() },
)

export function toWire(orderLine: OrderLine): z.input<typeof orderLineReply> {
  return {
    id: orderLine.id,
    order_id: orderLine.orderId,
    order: orderLine.order,
    count: orderLine.count,
    created_at: orderLine.createdAt.toISOString(),
    updated_at: orderLine.updatedAt.toISOString(),
  }
}

export function toWireWithParts(orderLine: OrderLineDetails): z.input<typeof replyWithParts> {
  return {
    ...toWire(orderLine),
    parcels: orderLine.parcels.map((part) => {
      const { order_line: _orderLine, ...reply } = parcelToWire({ ...part, orderLine })
      return reply
    }),
    parcels_total: orderLine.parcelsTotal,
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
  details: replyWithParts,
  protect: 'all',
  statuses: { create: [404, 409], update: [409], remove: [] },
})
