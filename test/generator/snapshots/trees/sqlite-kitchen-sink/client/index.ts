import type { BlogPostApi } from './blog-post.api.js'
import { type ClientOptions, createSend } from './http.js'
import type { PersonApi } from './person.api.js'
import { createResource } from './resource.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    blogPosts: createResource<BlogPostApi>(send, '/api/v1/blog-posts'),
    people: createResource<PersonApi>(send, '/api/v1/people'),
  }
}
