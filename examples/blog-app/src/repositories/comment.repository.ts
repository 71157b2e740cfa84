import type { Comment, CommentDraft, CommentFilter } from '../domain/comment.js'
import type { Repository } from './repository.js'

type Records = Repository<Comment, CommentDraft & Pick<Comment, 'authorId'>, CommentFilter>

export interface CommentRepository extends Records {
  /** Returns the id of the author without reading the comment. Undefined if the comment does not exist. */
  owner(id: number): Promise<number | undefined>
}
