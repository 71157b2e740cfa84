import type { Comment, CommentDraft, CommentFilter } from '../domain/comment.js'
import type { Repository } from './repository.js'

export type CommentRepository = Repository<
  Comment,
  CommentDraft & Pick<Comment, 'authorId'>,
  CommentFilter
>
