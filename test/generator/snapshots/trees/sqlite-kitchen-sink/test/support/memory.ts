import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { blogPostTable } from './tables/blog-post.table.js'
import { personTable } from './tables/person.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    blogPosts: createMemoryRepository(tables, blogPostTable),
    people: createMemoryRepository(tables, personTable),
  }
}
