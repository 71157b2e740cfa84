import { type Exchange, serve } from './exchange.ts'
import { listPosts, readPost } from './post-reads.ts'
import { createPost, publishPost, removePost, updatePost } from './post-writes.ts'
import { idOf } from './validation.ts'

/** `last` is the id in the path, `action` the segment after it. */
export function servePosts(exchange: Exchange, last?: string, action?: string): Promise<void> {
  if (last === undefined) {
    return serve(exchange, { GET: () => listPosts(exchange), POST: () => createPost(exchange) })
  }
  if (action === 'publish') return serve(exchange, { POST: () => publishPost(exchange, last) })
  return serve(exchange, {
    GET: () => readPost(exchange, idOf(last)),
    PUT: () => updatePost(exchange, last),
    DELETE: () => removePost(exchange, last),
  })
}
