import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { commonHeaders } from './response.ts'

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
}

/** Sends JSON errors for requests that Node refuses itself, instead of its empty responses. */
export function handleClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
      socket.destroy()
      return
    }
    socket.end(responseTo(error.code ?? ''), () => socket.destroy())
  })
  server.on('checkExpectation', (_req, res) => {
    res.shouldKeepAlive = false
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.statusCode = 417
    res.end('{"error":"unknown Expect header: expected 100-continue"}')
  })
}

function responseTo(code: string): string {
  const [status, error] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'the headers are too large']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'the request took too long']
        : [400, 'the request is not valid HTTP']
  const body = JSON.stringify({ error })
  return [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...[...commonHeaders].map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** Returns true if the socket is sending an earlier response, which an error response would corrupt. */
function isResponding(socket: Duplex): boolean {
  // Read the private field that Node's default handler of `clientError` uses.
  const { _httpMessage: message } = socket as { _httpMessage?: { headersSent?: boolean } }
  return message?.headersSent === true
}
