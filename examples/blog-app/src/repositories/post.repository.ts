import type { Post, PostDetails, PostDraft, PostFilter } from '../domain/post.js'
import type { Repository } from './repository.js'

type PostFields = PostDraft & Pick<Post, 'authorId' | 'views'>

export interface PostRepository extends Repository<Post, PostFields, PostFilter, PostDetails> {
  /** Returns the id of the author without reading the post. Undefined if the post does not exist. */
  owner(id: number): Promise<number | undefined>
  /** Like `find`, but also increments `views` atomically. */
  read(id: number): Promise<PostDetails | undefined>
}
