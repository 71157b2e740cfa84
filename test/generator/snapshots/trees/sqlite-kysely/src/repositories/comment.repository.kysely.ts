import type { Store } from '../infra/store.js'
import type { CommentRepository } from './comment.repository.js'
import { createRepository } from './kysely.js'
import { createOwner } from './kysely-owner.js'

export function createCommentRepository(store: Store): CommentRepository {
  return { ...createRepository(store, 'comments'), owner: createOwner(store, 'comments') }
}
