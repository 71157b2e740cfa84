import type { CategoryApi } from './category.api.js'
import { type ClientOptions, createSend } from './http.js'
import { createResource } from './resource.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    categories: createResource<CategoryApi>(send, '/api/v1/categories'),
  }
}
