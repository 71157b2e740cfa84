import express, { type Express } from 'express'
import type { Container } from './container.js'
import { createUploadedFileRouter } from './handlers/upload.handler.js'
import { errorHandler, methodNotAllowed, notFound } from './http/errors.js'
import { createOpenApi } from './http/openapi.js'
import { requestLog } from './http/request-log.js'
import { securityHeaders } from './http/security-headers.js'
import type { Logger } from './infra/logger.js'
import { apiDocs, createRoutes } from './routes.js'

export function createApp(container: Container, logger: Logger): Express {
  const openApi = createOpenApi('shop', apiDocs)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')

  app.use(requestLog(logger), securityHeaders)
  app
    .route('/health')
    .get((_req, res) => {
      res.json({ status: 'ok', timestamp: new Date().toISOString() })
    })
    .all(methodNotAllowed)
  app
    .route('/openapi.json')
    .get((_req, res) => {
      res.json(openApi)
    })
    .all(methodNotAllowed)
  app.use('/api/v1', createRoutes(container))
  app.use('/uploads', createUploadedFileRouter(container.uploads.folder))
  app.use(notFound, errorHandler(logger))
  return app
}
