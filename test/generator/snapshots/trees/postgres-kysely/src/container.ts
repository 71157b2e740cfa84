import type { Store } from './infra/store.js'
import { createCategoryRepository } from './repositories/category.repository.kysely.js'
import { createCategoryService } from './use-cases/category.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    categories: createCategoryRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    categories: createCategoryService({ repository: repositories.categories, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
