import type { Repositories } from '../../src/container.js'
import type { Category } from '../../src/domain/category.js'
import { createMemoryRepository } from './memory-repository.js'

export function createMemoryRepositories(): Repositories {
  return {
    categories: createMemoryRepository<Category>(['name']),
  }
}
