import type { Repositories } from '../../src/container.js'
import { createMemoryTables } from './memory-tables.js'

export function createMemoryRepositories(_tables = createMemoryTables()): Repositories {
  return {}
}
