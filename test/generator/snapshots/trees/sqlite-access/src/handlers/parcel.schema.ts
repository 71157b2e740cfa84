import * as z from 'zod'
import type { Parcel } from '../domain/parcel.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  order_line_id: unsigned({ min: 1 }),
  code: text({ min: 1, max: 255 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'order_line']

export const createParcelBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateParcelBody = z.strictObject(fields).partial()

export const parcelReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  order_line: z
    .strictObject({ id: z.int().positive() })
    .register(components, { id: 'OrderLineReference' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const parcelListReply = z.strictObject({
  parcels: z.array(parcelReply),
  ...pageFields,
})

export const parcelList = listOf(
  'parcels',
  {
    order_line_id: recordId(),
  },
  { order_line_id: unsigned(), code: text() },
)

export function toWire(parcel: Parcel): z.input<typeof parcelReply> {
  return {
    id: parcel.id,
    order_line_id: parcel.orderLineId,
    order_line: parcel.orderLine,
    code: parcel.code,
    created_at: parcel.createdAt.toISOString(),
    updated_at: parcel.updatedAt.toISOString(),
  }
}

export const parcelDoc = docOf({
  path: '/api/v1/parcels',
  one: 'parcel',
  many: 'parcels',
  schema: 'Parcel',
  create: createParcelBody,
  update: updateParcelBody,
  reply: parcelReply,
  list: parcelListReply,
  parameters: parcelList.parameters,
  readOnly,
  protect: 'all',
  statuses: { create: [404, 409], update: [409], remove: [] },
})
