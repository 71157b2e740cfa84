import { type ClientOptions, createSend } from './http.js'
import type { NoteApi } from './note.api.js'
import { createResource } from './resource.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API. Runs in browsers and in Node. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
    notes: createResource<NoteApi>(send, '/api/v1/notes'),
  }
}
