import type { Store } from '../infra/store.js'
import { createRepository } from './kysely.js'
import type { TagRepository } from './tag.repository.js'

export function createTagRepository(store: Store): TagRepository {
  return createRepository(store, 'tags')
}
