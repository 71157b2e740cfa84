import type { Post, PostDetails, PostFilter } from '../domain/post.js'
import { createDocuments } from '../infra/documents.js'
import type { Store } from '../infra/store.js'
import type { Fields } from '../infra/writes.js'
import { createReader } from './document-reader.js'
import { createRepository } from './document-repository.js'
import { createDocumentStore } from './elasticsearch.js'
import { toDocument } from './elasticsearch-fields.js'
import type { PostRepository } from './post.repository.js'
import type { Stored } from './repository.js'

type PostFields = Parameters<PostRepository['create']>[0]

export function createPostRepository(store: Store): PostRepository {
  const posts = createRepository<Post, PostFields, PostFilter, PostDetails>(store, 'posts')
  const { readAlone } = createReader(createDocumentStore(store))
  const documents = createDocuments(store.client, store.indexOf('posts'))
  return {
    ...posts,

    async read(id) {
      const counted: Fields[] = []
      const countReading = (fields: Fields) => {
        counted.push({ ...fields, views: Number(fields.views) + 1 })
        return counted.at(-1)
      }
      await documents.rewrite([String(id)], countReading, { isSearchable: true })
      // After a version conflict, the last count was written.
      const post = counted.at(-1)
      const entry = post && (await readAlone('posts', toDocument('posts', post)))
      return (entry ?? undefined) as Stored | undefined as PostDetails | undefined
    },
  }
}
