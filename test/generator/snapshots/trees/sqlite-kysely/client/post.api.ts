import type { CommentApi } from './comment.api.js'
import type { Comparisons } from './resource.js'
import type { TagApi } from './tag.api.js'

/** JSON types of /api/v1/posts. An update leaves absent fields unchanged. */
export interface PostApi {
  create: {
    title: string
    content?: string
    price?: string | number
    day?: string | null
    notes?: unknown
    published?: boolean
    tags?: (string | { slug: string })[]
  }
  update: Partial<PostApi['create']>
  reply: {
    id: number
    title: string
    content: string
    price: string
    day: string | null
    notes: unknown
    author_id: number
    author: { id: number; name: string }
    published: boolean
    tags: TagApi['reply'][]
    created_at: string
    updated_at: string
  }
  /** The record with its parts, as `find` returns it. */
  details: PostApi['reply'] & {
    comments: Omit<CommentApi['reply'], 'post'>[]
    comments_total: number
  }
  list: {
    posts: PostApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    author_id?: number
    published?: boolean
    tag?: string
    search?: string
  } & Comparisons<'price', string> &
    Comparisons<'day', string>
}
