import type { Comment, CommentDraft, CommentFilter } from '../../../src/domain/comment.js'
import type { TableOf } from '../memory-tables.js'

/** Describes comments for the in-memory store. */
export const commentTable: TableOf<
  Comment,
  CommentDraft & Pick<Comment, 'authorId'>,
  CommentFilter
> = {
  name: 'comments',
  unique: [['postId', 'authorId']],
  owner: ['authorId'],
  references: [
    { key: 'postId', as: 'post', label: 'title', table: 'posts', words: 'post', cascade: true },
    { key: 'authorId', as: 'author', label: 'name', table: 'users', words: 'user', cascade: false },
  ],
  filters: ['postId', 'authorId'],
  sorts: ['postId', 'authorId'],
}
