import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from '../infra/logger.js'

/** The status in the log if the client closed the connection before the end of the response. */
const aborted = 499

/** Sets `X-Request-Id` to the request's id or a new one, and logs one line when the response ends. */
export function requestLog(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now()
    const requestId = givenId(req.headers['x-request-id']) ?? randomUUID()
    const { method, originalUrl: url } = req
    res.locals.requestId = requestId
    res.setHeader('X-Request-Id', requestId)
    res.once('close', () => {
      const ms = Math.round(performance.now() - startedAt)
      const status = res.writableFinished ? res.statusCode : aborted
      logger.info({ requestId, method, url, status, ms }, 'request')
    })
    next()
  }
}

function givenId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
