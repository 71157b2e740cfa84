import type { ServerResponse } from 'node:http'
import type { Exchange } from './exchange.ts'

/** An answer of the gateway's own. */
export interface Refusal {
  readonly status: number
  /** A sentence; nothing that came with the request is in it. */
  readonly message: string
  readonly retryAfterS?: number
}

export const refusals = {
  badHost: { status: 400, message: 'the request names no host that can be served' },
  badTarget: { status: 400, message: 'the request asks for no path' },
  badUpgrade: { status: 400, message: 'a request to change the protocol has no body' },
  tooManyHeaders: { status: 431, message: 'the request has too many headers' },
  badEncoding: { status: 501, message: 'the only transfer encoding known here is chunked' },
  slowBody: { status: 408, message: 'the body of the request did not come in time' },
  unknownHost: {
    status: 404,
    message: 'no app is served at this host name: check the address, or deploy the branch',
  },
  noAnswer: { status: 502, message: 'the app closed the connection before it answered' },
  badAnswer: { status: 502, message: 'the app answered with what is not HTTP' },
  lateAnswer: { status: 504, message: 'the app did not answer in time' },
  busy: { status: 503, message: 'the app has too many requests open', retryAfterS: 5 },
  tooManyHeld: {
    status: 503,
    message: 'too many requests wait for the app to start',
    retryAfterS: 5,
  },
  lateWake: { status: 503, message: 'the app has not started in time', retryAfterS: 5 },
  noWake: {
    status: 503,
    message: 'the app could not be started: its logs say why',
    retryAfterS: 10,
  },
  noDaemon: {
    status: 503,
    message: 'the app is not running and can not be started now',
    retryAfterS: 5,
  },
} satisfies Record<string, Refusal>

/** Answers a request in the gateway's own name, if no answer was begun: JSON, or a page for a browser. */
export function refuse(exchange: Exchange, refusal: Refusal): void {
  const { request, response } = exchange
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  // Without its 100 the client sends no body, so that nobody could say where the next request begins.
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
    isPage ? pageOf(message, retryAfterS) : JSON.stringify({ error: message }),
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

function pageOf(message: string, retryAfterS: number | undefined): string {
  const refreshTag =
    retryAfterS === undefined ? '' : `<meta http-equiv="refresh" content="${retryAfterS}">`
  return `<!doctype html><html lang="en"><meta charset="utf-8">${refreshTag}<title>${message}</title><p>${message}</p></html>\n`
}
