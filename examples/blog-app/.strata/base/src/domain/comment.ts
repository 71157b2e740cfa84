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

/** Fields that a caller gives to create a record. */
export type CommentDraft = Omit<
  Comment,
  'id' | 'createdAt' | 'updatedAt' | 'authorId' | 'post' | 'author'
>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type CommentChanges = Partial<CommentDraft>

/** Conditions of a list. Undefined matches every record. */
export interface CommentFilter {
  postId?: number | undefined
  authorId?: number | undefined
}
