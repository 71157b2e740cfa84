import * as z from 'zod'
import { type BlogPost, blogPostMoodValues, blogPostStatusValues } from '../domain/blog-post.js'
import { docOf } from '../http/crud-doc.js'
import { decimal, float, integer, text, unsigned } from '../http/fields.js'
import { flag, numeric, oneOf, range } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  title: text({ min: 1, max: 120 }),
  slug: text({ min: 1, max: 80 }),
  body: text({ min: 10 }),
  summary: text().nullable(),
  pinned: z.boolean(),
  featured: z.boolean().nullable(),
  reading_minutes: unsigned({ min: 1, max: 600 }),
  score: integer(),
  rating: float({ min: 0, max: 5 }).nullable(),
  price: decimal({ precision: 10, scale: 2, min: 0 }),
  discount: decimal({ precision: 4, scale: 3 }).nullable(),
  status: z.enum(blogPostStatusValues),
  mood: z.enum(blogPostMoodValues).nullable(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createBlogPostBody = z.strictObject({
  ...fields,
  summary: fields.summary.default(null),
  pinned: fields.pinned.default(false),
  featured: fields.featured.default(null),
  score: fields.score.default(-1),
  rating: fields.rating.default(null),
  price: fields.price.default('9.90'),
  discount: fields.discount.default(null),
  status: fields.status.default('draft'),
  mood: fields.mood.default(null),
})

/** Has no defaults: absent fields stay unchanged. */
export const updateBlogPostBody = z.strictObject(fields).partial()

export const blogPostReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  price: z.string(),
  discount: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const blogPostListReply = z.strictObject({
  blog_posts: z.array(blogPostReply),
  ...pageFields,
})

export const blogPostList = listOf(
  'blog_posts',
  {
    pinned: flag(),
    featured: flag(),
    status: oneOf(blogPostStatusValues),
    mood: oneOf(blogPostMoodValues),
    ...range('reading_minutes', numeric(unsigned())),
    ...range('score', numeric(integer())),
    ...range('rating', numeric(float())),
    ...range('price', decimal({ precision: 10, scale: 2 })),
    ...range('discount', decimal({ precision: 4, scale: 3 })),
  },
  { title: text(), slug: text(), status: text() },
)

export function toWire(blogPost: BlogPost): z.input<typeof blogPostReply> {
  return {
    id: blogPost.id,
    title: blogPost.title,
    slug: blogPost.slug,
    body: blogPost.body,
    summary: blogPost.summary,
    pinned: blogPost.pinned,
    featured: blogPost.featured,
    reading_minutes: blogPost.readingMinutes,
    score: blogPost.score,
    rating: blogPost.rating,
    price: blogPost.price,
    discount: blogPost.discount,
    status: blogPost.status,
    mood: blogPost.mood,
    created_at: blogPost.createdAt.toISOString(),
    updated_at: blogPost.updatedAt.toISOString(),
  }
}

export const blogPostDoc = docOf({
  path: '/api/v1/blog-posts',
  one: 'blog post',
  many: 'blog posts',
  schema: 'BlogPost',
  create: createBlogPostBody,
  update: updateBlogPostBody,
  reply: blogPostReply,
  list: blogPostListReply,
  parameters: blogPostList.parameters,
  readOnly,
  statuses: { create: [409], update: [409], remove: [] },
})
