import type { Post, PostDetails } from '../../src/domain/post.js'
import type { PostRepository } from '../../src/repositories/post.repository.js'
import { createMemoryRepository } from './memory-repository.js'
import type { MemoryTables } from './memory-tables.js'
import { postTable } from './tables/post.table.js'

/** Posts in memory, with what they have beyond other records. */
export function createMemoryPosts(tables: MemoryTables): PostRepository {
  const posts = createMemoryRepository(tables, postTable)
  const isSeen = (
    post: PostDetails | undefined,
    seen: Parameters<PostRepository['updateSeen']>[0],
  ) => (['title', 'content', 'published'] as const).every((field) => post?.[field] === seen[field])
  return {
    ...posts,
    async read(id) {
      const post = await posts.find(id)
      if (!post) return undefined
      const { updatedAt } = post
      await posts.update(id, { views: post.views + 1, updatedAt } satisfies Partial<Post>)
      return posts.find(id)
    },
    async updateSeen(seen, changes) {
      return isSeen(await posts.find(seen.id), seen) ? posts.update(seen.id, changes) : undefined
    },
  }
}
