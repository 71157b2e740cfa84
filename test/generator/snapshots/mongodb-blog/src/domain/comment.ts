export interface Comment {
  id: number
  postId: number
  post: { id: number; title: string }
  authorId: number
  author: { id: number; name: string }
  content: string
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type CommentDraft = Omit<
  Comment,
  'id' | 'createdAt' | 'updatedAt' | 'authorId' | 'post' | 'author'
>

/** What a caller may change; a field that is left out stays as it is. */
export type CommentChanges = Partial<CommentDraft>

/** What a list can be narrowed to. */
export interface CommentFilter {
  postId?: number | undefined
  authorId?: number | undefined
}
