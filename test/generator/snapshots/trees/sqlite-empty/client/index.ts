import { type ClientOptions, createSend } from './http.js'

export { ApiError } from './http.js'

/** The app's API, typed by the schemas that the app itself parses with. Runs in Node and in browsers. */
export function createClient(options: ClientOptions) {
  const send = createSend(options)
  return {
    /** Any call; the others are made of it. */
    send,
  }
}
