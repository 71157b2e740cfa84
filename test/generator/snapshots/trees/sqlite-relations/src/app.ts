import cors from 'cors'
import express, { type Express, type RequestHandler } from 'express'
import type { Config } from './config.js'
import type { Container } from './container.js'
import { serveAliases, withAliases } from './http/aliases.js'
import { serveDocs } from './http/docs.js'
import { errorHandler, methodNotAllowed, notFound } from './http/errors.js'
import { createOpenApi } from './http/openapi.js'
import { serveReadiness } from './http/readiness.js'
import { requestLog } from './http/request-log.js'
import { securityHeaders } from './http/security-headers.js'
import type { Logger } from './infra/logger.js'
import { apiDocs, createRoutes } from './routes.js'

export type AppSettings = Pick<Config, 'CORS_ORIGINS' | 'TRUST_PROXY' | 'DOCS' | 'METRICS'> & {
  /** Asks the store for an answer. Rejects if there is none. */
  ping: () => Promise<unknown>
}

export async function createApp(
  container: Container,
  logger: Logger,
  { CORS_ORIGINS, TRUST_PROXY, DOCS, METRICS, ping }: AppSettings,
): Promise<Express> {
  const openApi = createOpenApi('shop', withAliases(apiDocs))
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', TRUST_PROXY)

  const serve = (path: string, handler: RequestHandler) =>
    app.route(path).get(handler).all(methodNotAllowed)
  app.use(requestLog(logger), securityHeaders)
  if (CORS_ORIGINS.length > 0) {
    const origin = CORS_ORIGINS.includes('*') ? '*' : CORS_ORIGINS
    const exposedHeaders = ['ETag', 'Location', 'Retry-After', 'X-Request-Id']
    app.use(cors({ origin, exposedHeaders, maxAge: 600 }))
  }
  if (METRICS) {
    const { observe, serveMetrics } = await import('./http/metrics.js')
    app.use(observe)
    serve('/metrics', serveMetrics)
  }
  serve('/health', (_req, res) => {
    res.json({ status: 'ok', timestamp: new Date().toISOString() })
  })
  serve('/ready', serveReadiness(ping))
  serve('/openapi.json', (_req, res) => {
    res.json(openApi)
  })
  if (DOCS) serve('/docs', serveDocs())
  app.use('/api/v1', serveAliases, createRoutes(container))
  app.use(notFound, errorHandler(logger))
  return app
}
