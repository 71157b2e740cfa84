import type { Store } from '../infra/store.js'
import type { CommentRepository } from './comment.repository.js'
import { createRepository } from './document-repository.js'

export function createCommentRepository(store: Store): CommentRepository {
  return createRepository(store, 'comments')
}
