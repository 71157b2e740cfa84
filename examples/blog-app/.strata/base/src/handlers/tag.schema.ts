import * as z from 'zod'
import type { Tag } from '../domain/tag.js'
import { docOf } from '../http/crud-doc.js'
import { text } from '../http/fields.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  name: text({ min: 1, max: 255 }),
  slug: text({ min: 1, max: 255 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createTagBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateTagBody = z.strictObject(fields).partial()

export const tagReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const tagListReply = z.strictObject({
  tags: z.array(tagReply),
  ...pageFields,
})

export const tagList = listOf('tags', {}, { slug: text() })

export function toWire(tag: Tag): z.input<typeof tagReply> {
  return {
    id: tag.id,
    name: tag.name,
    slug: tag.slug,
    created_at: tag.createdAt.toISOString(),
    updated_at: tag.updatedAt.toISOString(),
  }
}

export const tagDoc = docOf({
  path: '/api/v1/tags',
  one: 'tag',
  many: 'tags',
  schema: 'Tag',
  create: createTagBody,
  update: updateTagBody,
  reply: tagReply,
  list: tagListReply,
  parameters: tagList.parameters,
  readOnly,
  protect: 'write',
  statuses: { create: [409], update: [409], remove: [] },
})
