import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { noteTable } from './tables/note.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    notes: createMemoryRepository(tables, noteTable),
  }
}
