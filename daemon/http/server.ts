import {
  createServer as createPlainServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Express } from 'express'
import type { Redacted } from '../ports.ts'

export interface Tls {
  readonly cert: string
  readonly key: Redacted
}

/**
 * A server whose requests and responses already have Express's prototypes: Express sets them on each otherwise, which
 * costs V8 its fast paths and most of the throughput.
 */
export function createServer(app: Express, tls: Tls | null, listener: RequestListener): Server {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  app.request = AppRequest.prototype as typeof app.request
  app.response = AppResponse.prototype as typeof app.response
  const options = {
    IncomingMessage: AppRequest,
    ServerResponse: AppResponse,
    // Node would answer without a body; the listener says what is missing.
    requireHostHeader: false,
    // Bodies have deadlines of their own: a backup may take its time.
    requestTimeout: 0,
    headersTimeout: 30_000,
    // Longer than the idle time of proxies in front, which would meet connections we just closed.
    keepAliveTimeout: 95_000,
  }
  return tls
    ? createTlsServer({ ...options, cert: tls.cert, key: tls.key.reveal() }, listener)
    : createPlainServer(options, listener)
}
