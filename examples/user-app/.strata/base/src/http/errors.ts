import type { ErrorRequestHandler, RequestHandler } from 'express'
import { AppError, type AppErrorKind } from '../domain/app-error.js'
import type { Logger } from '../infra/logger.js'

const statusOf: Record<AppErrorKind, number> = {
  invalid: 400,
  'not-found': 404,
  conflict: 409,
  changed: 412,
  unavailable: 503,
}

export const notFound: RequestHandler = () => {
  throw new AppError('not-found', 'no such path')
}

/** Last handler of a route: responds with 405 and lists the route's methods in `Allow`. */
export const methodNotAllowed: RequestHandler = (req, res) => {
  const methods = Object.keys(req.route.methods).filter((method) => !method.startsWith('_'))
  if (methods.includes('get')) methods.push('head')
  res.set('Allow', methods.sort().join(', ').toUpperCase())
  res.status(405).json({ error: 'method not allowed' })
}

export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (res.headersSent) return next(error)
    const { status, ...body } = toHttpError(error)
    if (status === 503) res.set('Retry-After', '1')
    if (status >= 500)
      logger.error({ err: error, requestId: res.locals.requestId }, 'request failed')
    res.status(status).json(body)
  }
}

function toHttpError(error: unknown) {
  if (error instanceof AppError) {
    const { kind, message, details } = error
    return { status: statusOf[kind], error: message, ...(details && { details }) }
  }
  return isClientFault(error)
    ? { status: error.status, error: error.message }
    : { status: 500, error: 'internal error' }
}

/** Express and its body parser set a 4xx `status` on errors that the client caused. */
function isClientFault(error: unknown): error is Error & { status: number } {
  if (!(error instanceof Error && 'status' in error)) return false
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500
}
