import { type ClientOptions, createSend } from './http.js'

export { ApiError } from './http.js'

/** Creates a client of the app's API, typed by the app's own schemas. Runs in Node and in browsers. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Sends any request. The other methods call this function. */
    send,
  }
}
