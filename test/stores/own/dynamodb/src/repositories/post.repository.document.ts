import type { Post, PostDetails, PostFilter } from '../domain/post.js'
import { recordKey } from '../infra/keys.js'
import type { Store } from '../infra/store.js'
import { createReader } from './document-reader.js'
import { createRepository } from './document-repository.js'
import { createDocumentStore, toDocument, updateItem } from './dynamodb.js'
import type { PostRepository } from './post.repository.js'
import type { Stored } from './repository.js'

type PostFields = Parameters<PostRepository['create']>[0]

export function createPostRepository(store: Store): PostRepository {
  const posts = createRepository<Post, PostFields, PostFilter, PostDetails>(store, 'posts')
  const { readAlone } = createReader(createDocumentStore(store))
  return {
    ...posts,

    updateIfUnchanged: ({ id, title, content, published }, changes) =>
      posts.updateIfUnchanged(id, { title, content, published }, changes),

    async read(id) {
      const post = await updateItem(store, recordKey('posts', id), {
        UpdateExpression: 'ADD #views :one',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeNames: { '#views': 'views' },
        ExpressionAttributeValues: { ':one': 1 },
      })
      const entry = post && (await readAlone('posts', toDocument('posts', post)))
      return (entry ?? undefined) as Stored | undefined as PostDetails | undefined
    },
  }
}
