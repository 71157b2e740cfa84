import * as z from 'zod'
import type { Comment } from '../domain/comment.js'
import { docOf } from '../http/crud-doc.js'
import { text, unsigned } from '../http/fields.js'
import { recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  post_id: unsigned({ min: 1 }),
  content: text({ min: 1 }),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at', 'author_id', 'post', 'author']

export const createCommentBody = z.strictObject({ ...fields })

/** Has no defaults: absent fields stay unchanged. */
export const updateCommentBody = z.strictObject(fields).partial()

export const commentReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  author_id: z.int().positive(),
  post: z
    .strictObject({ id: z.int().positive(), title: z.string() })
    .register(components, { id: 'PostSummary' }),
  author: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'UserSummary' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const commentListReply = z.strictObject({
  comments: z.array(commentReply),
  ...pageFields,
})

export const commentList = listOf(
  'comments',
  {
    post_id: recordId(),
    author_id: recordId(),
  },
  { post_id: unsigned(), author_id: unsigned() },
)

export function toWire(comment: Comment): z.input<typeof commentReply> {
  return {
    id: comment.id,
    post_id: comment.postId,
    post: comment.post,
    author_id: comment.authorId,
    author: comment.author,
    content: comment.content,
    created_at: comment.createdAt.toISOString(),
    updated_at: comment.updatedAt.toISOString(),
  }
}

export const commentDoc = docOf({
  path: '/api/v1/comments',
  one: 'comment',
  many: 'comments',
  schema: 'Comment',
  create: createCommentBody,
  update: updateCommentBody,
  reply: commentReply,
  list: commentListReply,
  parameters: commentList.parameters,
  readOnly,
  protect: 'all',
  statuses: { create: [404, 409], update: [403, 409], remove: [403] },
})
