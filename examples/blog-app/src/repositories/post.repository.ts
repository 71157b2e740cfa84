import type { Post, PostDetails, PostDraft, PostFilter } from '../domain/post.js'
import type { Repository } from './repository.js'

type PostFields = PostDraft & Pick<Post, 'authorId' | 'views'>

/** The fields that decide whether a post can be published. */
export type PostState = Pick<Post, 'id' | 'title' | 'content' | 'published'>

export interface PostRepository extends Repository<Post, PostFields, PostFilter, PostDetails> {
  /** Returns the id of the author without reading the post. Undefined if the post does not exist. */
  owner(id: number): Promise<number | undefined>
  /** Like `find`, but also increments `views` atomically. */
  read(id: number): Promise<PostDetails | undefined>
  /** Like `update`, but returns undefined without a change if the post no longer has the expected state. */
  updateIfUnchanged(
    expected: PostState,
    changes: Partial<PostFields> & Pick<Post, 'updatedAt'>,
  ): Promise<Post | undefined>
}
