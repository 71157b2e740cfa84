import type { Post } from '../../src/domain/post.js'
import type { PostRepository } from '../../src/repositories/post.repository.js'
import { createMemoryRepository } from './memory-repository.js'
import type { MemoryTables } from './memory-tables.js'
import { postTable } from './tables/post.table.js'

/** Creates a post repository in memory, with the view counter. */
export function createMemoryPosts(tables: MemoryTables): PostRepository {
  const posts = createMemoryRepository(tables, postTable)
  return {
    ...posts,
    async read(id) {
      const post = await posts.find(id)
      if (!post) return undefined
      const { updatedAt } = post
      await posts.update(id, { views: post.views + 1, updatedAt } satisfies Partial<Post>)
      return posts.find(id)
    },
  }
}
