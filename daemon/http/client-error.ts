import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { commonHeaders } from './answer.ts'

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
}

/** Answers what node's parser refuses, and what it would answer without a body, in the form of every other error. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    socket.end(answerTo(error.code ?? ''), () => socket.destroy())
  })
  server.on('checkExpectation', (_req, res) => {
    res.shouldKeepAlive = false
    res.setHeader('Content-Type', 'application/json; charset=utf-8')
    res.statusCode = 417
    res.end('{"error":"the only expectation that is met is 100-continue"}')
  })
}

function answerTo(code: string): string {
  const [status, error] =
    code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'the headers are too large']
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'the request did not come in time']
        : [400, 'the request is not HTTP']
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

/** Whether an answer to an earlier request is on its way over the socket: nothing may be put in the middle of it. */
function isAnswering(socket: Duplex): boolean {
  // Node's own handling of `clientError` looks at the same field.
  const { _httpMessage: message } = socket as { _httpMessage?: { headersSent?: boolean } }
  return message?.headersSent === true
}
