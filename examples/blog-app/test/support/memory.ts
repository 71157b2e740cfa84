import type { Repositories } from '../../src/container.js'
import { createMemoryPosts } from './memory-posts.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { createMemoryUsers } from './memory-users.js'
import { commentTable } from './tables/comment.table.js'
import { tagTable } from './tables/tag.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    users: createMemoryUsers(tables),
    tags: createMemoryRepository(tables, tagTable),
    posts: createMemoryPosts(tables),
    comments: createMemoryRepository(tables, commentTable),
  }
}
