import type { Store } from '../infra/store.js'
import { createRepository } from './kysely.js'
import { createOwner } from './kysely-owner.js'
import type { PostRepository } from './post.repository.js'

export function createPostRepository(store: Store): PostRepository {
  return { ...createRepository(store, 'posts'), owner: createOwner(store, 'posts') }
}
