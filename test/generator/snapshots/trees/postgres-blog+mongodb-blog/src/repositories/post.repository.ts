import type { Post, PostDetails, PostDraft, PostFilter } from '../domain/post.js'
import type { Repository } from './repository.js'

export type PostRepository = Repository<
  Post,
  PostDraft & Pick<Post, 'authorId'>,
  PostFilter,
  PostDetails
>
