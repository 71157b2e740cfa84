import type { Repositories } from '../../src/container.js'
import { createMemoryRepository } from './memory-repository.js'
import { createMemoryTables } from './memory-tables.js'
import { createMemoryUsers } from './memory-users.js'
import { commentTable } from './tables/comment.table.js'
import { postTable } from './tables/post.table.js'
import { tagTable } from './tables/tag.table.js'

export function createMemoryRepositories(tables = createMemoryTables()): Repositories {
  return {
    users: createMemoryUsers(tables),
    tags: createMemoryRepository(tables, tagTable),
    posts: createMemoryRepository(tables, postTable),
    comments: createMemoryRepository(tables, commentTable),
  }
}
