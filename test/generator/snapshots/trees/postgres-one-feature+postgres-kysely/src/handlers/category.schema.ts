import * as z from 'zod'
import type { Category } from '../domain/category.js'
import { docOf } from '../http/crud-doc.js'
import { date, decimal, text, unsigned } from '../http/fields.js'
import { numeric, range } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  name: text({ min: 1, max: 255 }),
  position: unsigned(),
  opens: date(),
  price: decimal({ precision: 12, scale: 4 }).nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createCategoryBody = z.strictObject({
  ...fields,
  position: fields.position.default(0),
  price: fields.price.default(null),
})

/** Has no defaults: absent fields stay unchanged. */
export const updateCategoryBody = z.strictObject(fields).partial()

export const categoryReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  price: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const categoryListReply = z.strictObject({
  categories: z.array(categoryReply),
  ...pageFields,
})

export const categoryList = listOf(
  'categories',
  {
    ...range('position', numeric(unsigned())),
    ...range('opens', date()),
    ...range('price', decimal({ precision: 12, scale: 4 })),
  },
  { name: text() },
)

export function toWire(category: Category): z.input<typeof categoryReply> {
  return {
    id: category.id,
    name: category.name,
    position: category.position,
    opens: category.opens,
    price: category.price,
    created_at: category.createdAt.toISOString(),
    updated_at: category.updatedAt.toISOString(),
  }
}

export const categoryDoc = docOf({
  path: '/api/v1/categories',
  one: 'category',
  many: 'categories',
  schema: 'Category',
  create: createCategoryBody,
  update: updateCategoryBody,
  reply: categoryReply,
  list: categoryListReply,
  parameters: categoryList.parameters,
  readOnly,
  statuses: { create: [409], update: [409], remove: [] },
})
