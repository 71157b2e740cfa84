import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import type { Logger } from '../infra/logger.js'

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
      logger.info({ requestId, method, url, status: statusOf(res), ms }, 'request')
    })
    next()
  }
}

/** Returns the status of a response: 499 if the client closed the connection before its end, or amid the body. */
export function statusOf(res: Response): number {
  return res.writableFinished && !res.req.errored ? res.statusCode : 499
}

function givenId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
