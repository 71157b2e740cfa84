import * as z from 'zod'
import type { Post, PostDetails } from '../domain/post.js'
import { docOf } from '../http/crud-doc.js'
import { slugs, text, unsigned } from '../http/fields.js'
import { flag, numeric, phrase, range, recordId } from '../http/filters.js'
import { components } from '../http/openapi.js'
import { listOf, pageFields } from '../http/paging.js'
import { commentReply, toWire as commentToWire } from './comment.schema.js'
import { tagReply, toWire as tagToWire } from './tag.schema.js'

const fields = {
  title: text({ min: 1, max: 255 }),
  content: text(),
  published: z.boolean(),
  views: unsigned(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = [
  'id',
  'created_at',
  'updated_at',
  'author_id',
  'author',
  'comments',
  'comments_total',
]

export const createPostBody = z.strictObject({
  ...fields,
  content: fields.content.default(''),
  published: fields.published.default(false),
  views: fields.views.default(0),
  tags: slugs().default([]),
})

/** Has no defaults: absent fields stay unchanged. */
export const updatePostBody = z.strictObject({ ...fields, tags: slugs() }).partial()

export const postReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  author_id: z.int().positive(),
  author: z
    .strictObject({ id: z.int().positive(), name: z.string() })
    .register(components, { id: 'UserSummary' }),
  tags: z.array(tagReply),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const replyWithParts = postReply.extend({
  comments: z.array(commentReply.omit({ post: true })),
  comments_total: z.int(),
})

export const postListReply = z.strictObject({
  posts: z.array(postReply),
  ...pageFields,
})

export const postList = listOf(
  'posts',
  {
    author_id: recordId(),
    published: flag(),
    ...range('views', numeric(unsigned())),
    tag: phrase(),
    search: phrase(),
  },
  { title: text(), author_id: unsigned() },
)

export function toWire(post: Post): z.input<typeof postReply> {
  return {
    id: post.id,
    title: post.title,
    content: post.content,
    author_id: post.authorId,
    author: post.author,
    published: post.published,
    views: post.views,
    tags: post.tags.map(tagToWire),
    created_at: post.createdAt.toISOString(),
    updated_at: post.updatedAt.toISOString(),
  }
}

export function toWireWithParts(post: PostDetails): z.input<typeof replyWithParts> {
  return {
    ...toWire(post),
    comments: post.comments.map((part) => {
      const { post: _post, ...reply } = commentToWire({ ...part, post })
      return reply
    }),
    comments_total: post.commentsTotal,
  }
}

export const postDoc = docOf({
  path: '/api/v1/posts',
  one: 'post',
  many: 'posts',
  schema: 'Post',
  create: createPostBody,
  update: updatePostBody,
  reply: postReply,
  list: postListReply,
  parameters: postList.parameters,
  readOnly,
  details: replyWithParts,
  protect: 'write',
  statuses: { create: [404], update: [403], remove: [403] },
})
