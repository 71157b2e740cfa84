import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { userTable } from './tables/user.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    users: createMemoryRepository(tables, userTable),
  }
}
