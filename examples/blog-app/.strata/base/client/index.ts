import type { CommentApi } from '../src/handlers/comment.schema.js'
import type { PostApi } from '../src/handlers/post.schema.js'
import type { TagApi } from '../src/handlers/tag.schema.js'
import { createAuth } from './auth.js'
import { type ClientOptions, createSend } from './http.js'
import { createResource } from './resource.js'
import { createUploads } from './uploads.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API, typed by the app's own schemas. Runs in Node and in browsers. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    auth: createAuth(send),
    uploads: createUploads(send),
    tags: createResource<TagApi>(send, '/api/v1/tags'),
    posts: createResource<PostApi>(send, '/api/v1/posts'),
    comments: createResource<CommentApi>(send, '/api/v1/comments'),
  }
}
