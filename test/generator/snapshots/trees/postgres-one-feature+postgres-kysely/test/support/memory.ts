import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { categoryTable } from './tables/category.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    categories: createMemoryRepository(tables, categoryTable),
  }
}
