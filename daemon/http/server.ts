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
 * Creates a server whose requests and responses already have Express's prototypes. Otherwise Express changes the
 * prototype of each one, which disables V8's fast paths and costs most of the throughput.
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
    // Node's own error response has no body. The listener sends a JSON error instead.
    requireHostHeader: false,
    // Disable Node's request timeout: bodies have their own deadlines, because a backup may take long.
    requestTimeout: 0,
    headersTimeout: 15_000,
    // Node closes a connection at the first check after its timeout. The default of 30 s would triple the time.
    connectionsCheckingInterval: 1_000,
    // Must exceed the idle timeout of common proxies. Otherwise a proxy uses a connection that was just closed.
    keepAliveTimeout: 95_000,
  }
  return tls
    ? createTlsServer({ ...options, cert: tls.cert, key: tls.key.reveal() }, listener)
    : createPlainServer(options, listener)
}
