import type { Store } from '../infra/store.js'
import type { CommentRepository } from './comment.repository.js'
import { createDocumentRepository } from './document-repository.js'

export function createCommentRepository(store: Store): CommentRepository {
  return createDocumentRepository(store, 'comments')
}
