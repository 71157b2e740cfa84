import type { Socket } from 'node:net'
import { responseOf } from './current-response.ts'

const clientErrors: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not come in time'],
}

/** Answers malformed HTTP with an error, unless a response is in progress, and closes the connection. */
export function handleClientError(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : ''
  if (!socket.writable || code === 'ECONNRESET' || responseOf(socket)?.headersSent) {
    socket.destroy()
    return
  }
  const [line, message] = clientErrors[code] ?? ['400 Bad Request', 'the request is malformed HTTP']
  const body = JSON.stringify({ error: message })
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroySoon(),
  )
}
