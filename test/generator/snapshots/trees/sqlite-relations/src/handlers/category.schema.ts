import * as z from 'zod'
import type { Category } from '../domain/category.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  name: text({ min: 1, max: 255 }),
  parent_id: unsigned({ min: 1 }).nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'parent']

export const createCategoryBody = z.strictObject({
  ...fields,
  parent_id: fields.parent_id.default(null),
})

/** Has no defaults: absent fields stay unchanged. */
export const updateCategoryBody = z.strictObject(fields).partial()

export const categoryReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  parent: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'CategorySummary' })
    .nullable(),
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
    parent_id: recordId(),
  },
  { parent_id: unsigned().nullable() },
)

export function toWire(category: Category): z.input<typeof categoryReply> {
  return {
    id: category.id,
    name: category.name,
    parent_id: category.parentId,
    parent: category.parent,
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
  statuses: { create: [404], update: [], remove: [409] },
})
