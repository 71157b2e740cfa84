import type { Store } from '../infra/store.js'
import { createDocumentRepository } from './document-repository.js'
import type { TagRepository } from './tag.repository.js'

export function createTagRepository(store: Store): TagRepository {
  return createDocumentRepository(store, 'tags')
}
