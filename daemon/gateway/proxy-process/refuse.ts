import type { ServerResponse } from 'node:http'
import type { Exchange } from './exchange.ts'

/** An error response of the gateway. */
export interface Refusal {
  readonly status: number
  /** Text of the response. Contains no text from the request. */
  readonly message: string
  readonly retryAfterS?: number
}

export const refusals = {
  badHost: { status: 400, message: 'the Host header is missing or invalid' },
  badTarget: { status: 400, message: 'the request target is invalid: expected a path' },
  badUpgrade: { status: 400, message: 'an upgrade request must not have a body' },
  tooManyHeaders: { status: 431, message: 'the request has too many headers' },
  badEncoding: { status: 501, message: 'unsupported transfer encoding: expected chunked' },
  slowBody: { status: 408, message: 'the body of the request did not come in time' },
  unknownHost: {
    status: 404,
    message: 'no app is served at this host name: check the address, or deploy the branch',
  },
  noAnswer: { status: 502, message: 'the app closed the connection before it answered' },
  badAnswer: { status: 502, message: 'the app answered with malformed HTTP' },
  lateAnswer: { status: 504, message: 'the app did not answer in time' },
  busy: { status: 503, message: 'the app has too many open requests: try again', retryAfterS: 5 },
  tooManyHeld: {
    status: 503,
    message: 'too many requests wait for the app to start: try again',
    retryAfterS: 5,
  },
  lateWake: { status: 503, message: 'the app has not started in time: try again', retryAfterS: 5 },
  noWake: {
    status: 503,
    message: 'the app could not be started: its logs say why',
    retryAfterS: 10,
  },
  noDaemon: {
    status: 503,
    message: 'the app is not running and can not be started now: try again',
    retryAfterS: 5,
  },
} satisfies Record<string, Refusal>

/** Sends a refusal as JSON, or as a page to a browser. Closes the connection instead if a response has begun. */
export function refuse(exchange: Exchange, refusal: Refusal): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  // Without a 100 response the client may or may not send the body: the connection can't be reused.
  if (exchange.expectsContinue) response.shouldKeepAlive = false
  sendRefusal(response, request.headers.accept, refusal)
}

export function sendRefusal(
  response: ServerResponse,
  accept: string | undefined,
  { status, message, retryAfterS }: Refusal,
): void {
  const isPage = accept?.includes('text/html') === true
  const body = Buffer.from(
    isPage ? renderPage(message, retryAfterS) : JSON.stringify({ error: message }),
  )
  response.writeHead(status, [
    'Content-Type',
    isPage ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    ...(isPage ? ['Content-Security-Policy', "default-src 'none'"] : []),
    ...(retryAfterS === undefined ? [] : ['Retry-After', String(retryAfterS)]),
  ])
  response.end(body)
}

function renderPage(message: string, retryAfterS: number | undefined): string {
  const refreshTag =
    retryAfterS === undefined ? '' : `<meta http-equiv="refresh" content="${retryAfterS}">`
  return `<!doctype html><html lang="en"><meta charset="utf-8">${refreshTag}<title>${message}</title><p>${message}</p></html>\n`
}
