import { createAuth } from './auth.js'
import type { CommentApi } from './comment.api.js'
import { type ClientOptions, createSend } from './http.js'
import type { PostApi } from './post.api.js'
import { createResource } from './resource.js'
import type { TagApi } from './tag.api.js'
import { createUploads } from './uploads.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
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
