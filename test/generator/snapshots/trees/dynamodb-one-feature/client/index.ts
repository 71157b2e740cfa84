import { type ClientOptions, createSend } from './http.js'
import { createResource } from './resource.js'
import type { TaskApi } from './task.api.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    tasks: createResource<TaskApi>(send, '/api/v1/tasks'),
  }
}
