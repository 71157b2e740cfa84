import type { Post, PostDetails, PostFilter } from '../domain/post.js'
import type { Store } from '../infra/store.js'
import { createReader } from './document-reader.js'
import { createRepository } from './document-repository.js'
import type { PostRepository } from './post.repository.js'
import { createDocumentStore } from './postgres-json.js'
import { columns, type StoredRow, toDocument } from './postgres-row.js'
import { run } from './postgres-run.js'
import type { Stored } from './repository.js'

type PostFields = Parameters<PostRepository['create']>[0]

export function createPostRepository(store: Store): PostRepository {
  const posts = createRepository<Post, PostFields, PostFilter, PostDetails>(store, 'posts')
  const { readAlone } = createReader(createDocumentStore(store))
  return {
    ...posts,

    async read(id) {
      const counted = store.pool.query<StoredRow>(
        `UPDATE ${store.table('posts')}
         SET document = jsonb_set(document, '{views}', to_jsonb((document->>'views')::integer + 1))
         WHERE id = $1
         RETURNING ${columns}`,
        [id],
      )
      const [post] = (await run('posts', counted)).rows
      const entry = post && (await readAlone('posts', toDocument('posts', post)))
      return entry as Stored | undefined as PostDetails | undefined
    },
  }
}
