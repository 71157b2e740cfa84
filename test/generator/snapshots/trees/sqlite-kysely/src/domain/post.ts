import type { Comment } from './comment.js'
import type { Tag } from './tag.js'
import type { ValueRange } from './value-range.js'

export interface Post {
  id: number
  title: string
  content: string
  /** An exact number. */
  price: string
  /** A date, as YYYY-MM-DD. */
  day: string | null
  /** Any JSON value. */
  notes: unknown | null
  authorId: number
  author: { id: number; name: string }
  published: boolean
  tags: Tag[]
  createdAt: Date
  updatedAt: Date
}

/** A record as `find` returns it, with its newest parts. The parts do not repeat the record. */
export interface PostDetails extends Post {
  /** The newest comments, sorted from oldest to newest. */
  comments: Omit<Comment, 'post'>[]
  /** The number of all comments. */
  commentsTotal: number
}

/** Fields that a caller gives to create a record. */
export type PostDraft = Omit<
  Post,
  'id' | 'createdAt' | 'updatedAt' | 'authorId' | 'author' | 'tags'
> & {
  /** Slugs. */
  tags: readonly string[]
}

/** Fields that a caller may change. Absent fields stay unchanged. */
export type PostChanges = Partial<PostDraft>

/** Conditions of a list. Undefined matches every record. */
export interface PostFilter {
  authorId?: number | undefined
  published?: boolean | undefined
  price?: ValueRange<string> | undefined
  day?: ValueRange<string> | undefined
  tag?: string | undefined
  search?: string | undefined
}
