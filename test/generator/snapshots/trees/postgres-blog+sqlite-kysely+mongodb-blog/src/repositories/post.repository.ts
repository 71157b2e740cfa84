import type { Post, PostDetails, PostDraft, PostFilter } from '../domain/post.js'
import type { Repository } from './repository.js'

type Records = Repository<Post, PostDraft & Pick<Post, 'authorId'>, PostFilter, PostDetails>

export interface PostRepository extends Records {
  /** Returns the id of the author without reading the post. Undefined if the post does not exist. */
  owner(id: number): Promise<number | undefined>
}
