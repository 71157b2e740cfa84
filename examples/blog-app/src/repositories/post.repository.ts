import type { Post, PostDetails, PostDraft, PostFilter } from '../domain/post.js'
import type { Repository, Stamps } from './repository.js'

type PostFields = PostDraft & Pick<Post, 'authorId' | 'views'>

/** What a post's publication hangs on. */
export type SeenPost = Pick<Post, 'id' | 'title' | 'content' | 'published'>

export interface PostRepository extends Repository<Post, PostFields, PostFilter, PostDetails> {
  /** Like `find`, and counts the reading: of many at once, each. */
  read(id: number): Promise<PostDetails | undefined>
  /** Like `update`, of a post that is still as it was seen; undefined where it is not. */
  updateSeen(
    seen: SeenPost,
    changes: Partial<PostFields> & Pick<Stamps, 'updatedAt'>,
  ): Promise<Post | undefined>
}
