import type { Comment } from './comment.js'
import type { Tag } from './tag.js'

export interface Post {
  id: number
  title: string
  content: string
  authorId: number
  author: { id: number; name: string }
  published: boolean
  tags: Tag[]
  createdAt: Date
  updatedAt: Date
}

/** One that is read alone: with its parts, the oldest first. */
export interface PostDetails extends Post {
  comments: Comment[]
}

/** What a caller gives to make one. */
export type PostDraft = Omit<
  Post,
  'id' | 'createdAt' | 'updatedAt' | 'authorId' | 'author' | 'tags'
> & {
  /** Slugs. */
  tags: readonly string[]
}

/** What a caller may change; a field that is left out stays as it is. */
export type PostChanges = Partial<PostDraft>

/** What a list can be narrowed to. */
export interface PostFilter {
  authorId?: number | undefined
  published?: boolean | undefined
  tag?: string | undefined
  search?: string | undefined
}
