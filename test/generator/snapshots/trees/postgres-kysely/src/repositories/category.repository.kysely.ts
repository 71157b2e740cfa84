import type { Store } from '../infra/store.js'
import type { CategoryRepository } from './category.repository.js'
import { createRepository } from './kysely.js'

export function createCategoryRepository(store: Store): CategoryRepository {
  return createRepository(store, 'categories')
}
