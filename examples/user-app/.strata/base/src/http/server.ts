import http, { type Server } from 'node:http'
import type { Express } from 'express'

/** Longer than the 60 s of common load balancers, which would otherwise send requests to a closing connection. */
const keepAliveTimeout = 65_000

/** Express sets the prototype of each request, which is slow. For classes that have its prototypes, that is a no-op. */
export function createServer(app: Express): Server {
  class AppRequest extends http.IncomingMessage {}
  class AppResponse extends http.ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  app.request = AppRequest.prototype as typeof app.request
  app.response = AppResponse.prototype as typeof app.response
  const classes = { IncomingMessage: AppRequest, ServerResponse: AppResponse }
  return http.createServer(
    { ...classes, keepAliveTimeout, headersTimeout: keepAliveTimeout + 1_000 },
    app,
  )
}
