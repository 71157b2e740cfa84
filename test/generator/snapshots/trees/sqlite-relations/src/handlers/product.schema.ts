import * as z from 'zod'
import type { Product, ProductDetails } from '../domain/product.js'
import { docOf } from '../http/crud-doc.js'
import { date, decimal, ids, text, unsigned } from '../http/fields.js'
import { flag, phrase, range, recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'
import { labelReply, toWire as labelToWire } from './label.schema.js'
import { orderLineReply, toWire as orderLineToWire } from './order-line.schema.js'

const fields = {
  name: text({ min: 1, max: 255 }),
  category_id: unsigned({ min: 1 }),
  price: decimal({ precision: 10, scale: 2 }),
  made: date(),
  sold_out: z.boolean(),
  note: text({ max: 255 }).nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = [
  'id',
  'created_at',
  'updated_at',
  'category',
  'order_lines',
  'order_lines_total',
]

export const createProductBody = z.strictObject({
  ...fields,
  sold_out: fields.sold_out.default(false),
  note: fields.note.default(null),
  labels: ids().default([]),
})

/** Has no defaults: absent fields stay unchanged. */
export const updateProductBody = z.strictObject({ ...fields, labels: ids() }).partial()

export const productReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  price: z.string(),
  category: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'CategorySummary' }),
  labels: z.array(labelReply),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const replyWithParts = productReply.extend({
  order_lines: z.array(orderLineReply.omit({ product: true })),
  order_lines_total: z.int(),
})

export const productListReply = z.strictObject({
  products: z.array(productReply),
  ...pageFields,
})

export const productList = listOf(
  'products',
  {
    category_id: recordId(),
    sold_out: flag(),
    ...range('price', decimal({ precision: 10, scale: 2 })),
    ...range('made', date()),
    label: recordId(),
    search: phrase(),
  },
  { category_id: unsigned() },
)

export function toWire(product: Product): z.input<typeof productReply> {
  return {
    id: product.id,
    name: product.name,
    category_id: product.categoryId,
    category: product.category,
    price: product.price,
    made: product.made,
    sold_out: product.soldOut,
    note: product.note,
    labels: product.labels.map(labelToWire),
    created_at: product.createdAt.toISOString(),
    updated_at: product.updatedAt.toISOString(),
  }
}

export function toWireWithParts(product: ProductDetails): z.input<typeof replyWithParts> {
  return {
    ...toWire(product),
    order_lines: product.orderLines.map((part) => {
      const { product: _product, ...reply } = orderLineToWire({ ...part, product })
      return reply
    }),
    order_lines_total: product.orderLinesTotal,
  }
}

export const productDoc = docOf({
  path: '/api/v1/products',
  one: 'product',
  many: 'products',
  schema: 'Product',
  create: createProductBody,
  update: updateProductBody,
  reply: productReply,
  list: productListReply,
  parameters: productList.parameters,
  readOnly,
  details: replyWithParts,
  statuses: { create: [404], update: [], remove: [] },
})
