import type { Server } from 'node:http'
import express, { type Express, type RequestHandler } from 'express'
import { pathOf, type RouteRecord } from '../api/route.ts'
import { routes } from '../api/route-table.ts'
import type { UseCases } from '../app/ground/use-cases.ts'
import type { Clock, GitService, Logger } from '../ports.ts'
import type { ProxyConfig } from '../traefik/config-response.ts'
import type { ProxyPolls } from '../traefik/proxy-polls.ts'
import { type AuthConfig, createIdentify } from './auth.ts'
import type { AnyHandler, HandlerSettings, Handlers } from './call.ts'
import { handleClientErrors } from './client-error.ts'
import { closeServer } from './close-server.ts'
import { type EndpointDeps, endpoint } from './endpoint.ts'
import { errorHandler, methodNotAllowed, notFound } from './errors.ts'
import { createFailureDelay } from './failure-delay.ts'
import { createHandlers } from './handlers/handlers.ts'
import { createListener } from './listener.ts'
import { createRequestCounts } from './metrics.ts'
import { createServer, type Tls } from './server.ts'
import { createStreams } from './streams.ts'
import { createThrottle, type RateLimit } from './throttle.ts'

export interface HttpConfig extends HandlerSettings, AuthConfig {
  readonly rateLimit: RateLimit | null
  readonly tls: Tls | null
}

export interface HttpDeps {
  readonly useCases: UseCases
  readonly gitService: GitService
  readonly proxyConfig: ProxyConfig
  readonly proxyPolls: Pick<ProxyPolls, 'note'>
  readonly config: HttpConfig
  readonly logger: Logger
  readonly clock: Clock
  /** Serves pages outside `/api`, such as the dashboard. Calls `next` for unknown paths. */
  readonly pages?: RequestHandler
}

export interface Http {
  /** The HTTP server, not yet listening: the caller calls `listen`. */
  readonly server: Server
  /** Ends streams and waiting requests, and stops accepting connections. Drops the other requests after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Creates the daemon's HTTP server, which connects the routes of `daemon/api` to the use cases. */
export function createHttp(deps: HttpDeps): Http {
  const { useCases, gitService, proxyConfig, proxyPolls, config, logger, clock } = deps
  const closing = new AbortController()
  const counts = createRequestCounts()
  const handlers = createHandlers({
    useCases,
    gitService,
    proxyConfig,
    proxyPolls,
    settings: config,
    counts,
    logger,
    clock,
    streams: createStreams({ tokens: useCases.tokens, closing: closing.signal }),
    closing: closing.signal,
  })
  const app = createApp(deps, handlers, {
    identify: createIdentify(config, useCases.tokens, logger),
    throttle: createThrottle(config.rateLimit, clock),
    delayFailure: createFailureDelay(clock),
    useCases,
    clock,
  })
  const listener = createListener(app, { activity: useCases.activity, counts, logger, clock })
  const server = createServer(app, config.tls, listener)
  handleClientErrors(server)
  return {
    server,
    close(graceMs) {
      closing.abort()
      return closeServer(server, graceMs, clock)
    },
  }
}

function createApp({ logger, pages }: HttpDeps, handlers: Handlers, deps: EndpointDeps): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.enable('strict routing')
  app.enable('case sensitive routing')
  for (const [path, records] of byPath(routes)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    const allowed = allowedMethods(records)
    if (!allowed.includes('HEAD')) route.head(methodNotAllowed(allowed.join(', ')))
    for (const record of records) {
      // `Handlers` types each handler by its route; this loop needs one common type.
      const handler = handlers[record.name as keyof Handlers] as unknown as AnyHandler
      route[verbOf[record.method]](endpoint(record, handler, deps))
    }
    route.all(methodNotAllowed(allowed.join(', ')))
  }
  app.use('/api', notFound)
  if (pages) app.use(pages)
  app.use(notFound)
  app.use(errorHandler(logger))
  return app
}

const verbOf = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const

function byPath(records: readonly RouteRecord[]): Map<string, RouteRecord[]> {
  const paths = new Map<string, RouteRecord[]>()
  for (const record of records) {
    paths.set(pathOf(record), [...(paths.get(pathOf(record)) ?? []), record])
  }
  return paths
}

const streams = ['text/event-stream', 'application/x-tar', 'application/x-git-advertisement']

/** GET allows HEAD unless the response is a stream: HEAD would start the stream. */
function allowedMethods(records: readonly RouteRecord[]): string[] {
  const methods: string[] = records.map(({ method }) => method)
  const get = records.find(({ method }) => method === 'GET')
  const isStream = streams.includes(String(get?.responses[200]))
  return [...methods, ...(get && !isStream ? ['HEAD'] : [])].sort()
}
