import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { taskTable } from './tables/task.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    tasks: createMemoryRepository(tables, taskTable),
  }
}
