import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Returns the response that a connection is sending, or null. Node has no public property for it. */
export function responseOf(socket: Socket): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null
}
