import type { Post, PostDetails, PostFilter } from '../domain/post.js'
import { createRecords } from '../infra/records.js'
import type { Store } from '../infra/store.js'
import { createReader } from './document-reader.js'
import { createRepository } from './document-repository.js'
import { collectionOf } from './document-schema.js'
import { createDocumentStore, toDocument } from './dynamodb.js'
import type { PostRepository } from './post.repository.js'
import type { Stored } from './repository.js'

type PostFields = Parameters<PostRepository['create']>[0]

export function createPostRepository(store: Store): PostRepository {
  const posts = createRepository<Post, PostFields, PostFilter, PostDetails>(store, 'posts')
  const { readAlone } = createReader(createDocumentStore(store))
  const records = createRecords(store, 'posts', collectionOf('posts'))
  return {
    ...posts,

    async read(id) {
      // The list can be filtered by views, so its index entries change too.
      const counted = await records.change(id, (post) => ({
        after: { ...post, views: Number(post.views) + 1 },
      }))
      const entry = counted && (await readAlone('posts', toDocument('posts', counted.after)))
      return (entry ?? undefined) as Stored | undefined as PostDetails | undefined
    },
  }
}
