import type { Store } from '../infra/store.js'
import { createRepository } from './document-repository.js'
import type { PostRepository } from './post.repository.js'

export function createPostRepository(store: Store): PostRepository {
  return createRepository(store, 'posts')
}
