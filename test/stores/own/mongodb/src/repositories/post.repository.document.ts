import type { Post, PostDetails, PostFilter } from '../domain/post.js'
import type { Store } from '../infra/store.js'
import { createReader } from './document-reader.js'
import { createRepository } from './document-repository.js'
import { createDocumentStore, run, toDocument } from './mongodb.js'
import type { StoredDocument } from './mongodb-filters.js'
import type { PostRepository } from './post.repository.js'
import type { Stored } from './repository.js'

type PostFields = Parameters<PostRepository['create']>[0]

export function createPostRepository(store: Store): PostRepository {
  const posts = createRepository<Post, PostFields, PostFilter, PostDetails>(store, 'posts')
  const { readAlone } = createReader(createDocumentStore(store))
  const table = store.db.collection<StoredDocument>('posts')
  return {
    ...posts,

    async read(id) {
      const update = { $inc: { views: 1 } }
      const post = await run(
        table.findOneAndUpdate({ _id: id }, update, { returnDocument: 'after' }),
      )
      const entry = post && (await readAlone('posts', toDocument(post)))
      return (entry ?? undefined) as Stored | undefined as PostDetails | undefined
    },
  }
}
