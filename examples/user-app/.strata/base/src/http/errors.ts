import type { ErrorRequestHandler, RequestHandler } from 'express'
import { AppError, type AppErrorKind, type Fault } from '../domain/app-error.js'
import type { Logger } from '../infra/logger.js'

const statusOf: Record<AppErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unprocessable: 422,
  unavailable: 503,
}

/** What Express and its body parser throw, by their `type`. */
const bodyErrors: Record<string, { status: number; message: string }> = {
  'entity.parse.failed': { status: 400, message: 'the body is not valid JSON' },
  'entity.too.large': { status: 413, message: 'the body is too large' },
  'charset.unsupported': { status: 415, message: 'the body must be UTF-8' },
  'encoding.unsupported': { status: 415, message: 'the content encoding is not supported' },
}

export const notFound: RequestHandler = () => {
  throw new AppError('not-found', 'no such path')
}

/** Ends a route: answers 405 with what the route does allow. */
export const methodNotAllowed: RequestHandler = (req, res) => {
  const methods = Object.keys(req.route.methods).filter((method) => !method.startsWith('_'))
  if (methods.includes('get')) methods.push('head')
  res.set(
    'Allow',
    methods
      .map((method) => method.toUpperCase())
      .sort()
      .join(', '),
  )
  res.status(405).json({ error: 'method not allowed' })
}

export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error, _req, res, next) => {
    if (res.headersSent) return next(error)
    const { status, ...body } = toHttpError(error)
    if (status >= 500)
      logger.error({ err: error, requestId: res.locals.requestId }, 'request failed')
    res.status(status).json(body)
  }
}

function toHttpError(error: unknown): {
  status: number
  error: string
  details?: readonly Fault[]
} {
  if (error instanceof AppError) {
    const { kind, message, details } = error
    return { status: statusOf[kind], error: message, ...(details && { details }) }
  }
  if (error instanceof URIError) return { status: 400, error: 'the path is not valid' }
  const type = error instanceof Error && 'type' in error ? String(error.type) : ''
  const bodyError = bodyErrors[type]
  if (bodyError) return { status: bodyError.status, error: bodyError.message }
  return { status: 500, error: 'internal error' }
}
