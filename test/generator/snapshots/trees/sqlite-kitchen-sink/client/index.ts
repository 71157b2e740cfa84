import type { BlogPostApi } from '../src/handlers/blog-post.schema.js'
import type { PersonApi } from '../src/handlers/person.schema.js'
import { type ClientOptions, createSend } from './http.js'
import { createResource } from './resource.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API, typed by the app's own schemas. Runs in Node and in browsers. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    blogPosts: createResource<BlogPostApi>(send, '/api/v1/blog-posts'),
    people: createResource<PersonApi>(send, '/api/v1/people'),
  }
}
