import type { ErrorRequestHandler, RequestHandler } from 'express'
import { DaemonError, type DaemonErrorKind, diskFault } from '../errors.ts'
import type { Logger } from '../ports.ts'
import { localsOf } from './locals.ts'
import { sendJson, sendText } from './response.ts'

/** The HTTP status of each error kind. */
export const statusOf: Readonly<Record<DaemonErrorKind, number>> = {
  'bad-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'too-slow': 408,
  unprocessable: 422,
  throttled: 429,
  unavailable: 503,
  transient: 503,
  internal: 500,
}

export const notFound: RequestHandler = (_req, res) => {
  sendJson(res, 404, { error: 'no such path' })
}

/** Returns a handler that answers 405. `allowed` is a list such as `GET, HEAD`. */
export function methodNotAllowed(allowed: string): RequestHandler {
  return (req, res) => {
    res.setHeader('Allow', allowed)
    sendJson(res, 405, { error: `${req.method} is not allowed: use ${allowed}` })
  }
}

/** Converts an error to a response. Logs unexpected errors with their stack and answers 500 without details. */
export function errorHandler(logger: Logger): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const { requestId } = localsOf(res)
    const { status, body, headers } = toResponse(diskFault(error), requestId)
    if (status === 500) logger.error({ err: error, requestId }, 'a request failed')
    if (res.headersSent) {
      if (!res.writableEnded) res.destroy()
      return
    }
    for (const [name, value] of headers) res.setHeader(name, value)
    const isOfGit = /^git\//.test(req.headers['user-agent'] ?? '')
    const route = localsOf(res).route
    if (route?.access.kind === 'token' && route.access.isBasic && status === 401) {
      res.setHeader('WWW-Authenticate', 'Basic realm="stratad", charset="UTF-8"')
    }
    // git prints texts only.
    if (isOfGit) sendText(res, status, String(body.error))
    else sendJson(res, status, body)
  }
}

interface ErrorResponse {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: ReadonlyMap<string, string>
}

function toResponse(error: unknown, requestId: string): ErrorResponse {
  if (error instanceof DaemonError && error.kind !== 'internal') {
    const { kind, message, details } = error
    return {
      status: statusOf[kind],
      body: { ...details, error: message },
      headers: headersOf(error),
    }
  }
  if (isClientFault(error)) {
    return { status: 400, body: { error: 'the path is malformed' }, headers: new Map() }
  }
  return {
    status: 500,
    body: { error: 'internal error', request_id: requestId },
    headers: new Map(),
  }
}

function headersOf({ kind, details }: DaemonError): ReadonlyMap<string, string> {
  if (kind === 'unauthorized') return new Map([['WWW-Authenticate', 'Bearer realm="stratad"']])
  if (kind === 'throttled') return new Map([['Retry-After', String(details.retry_after ?? 1)]])
  if (kind === 'transient') return new Map([['Retry-After', '5']])
  if (kind === 'too-slow') return new Map([['Connection', 'close']])
  return new Map()
}

/** Express throws a URIError with status 400 if it cannot decode the path. */
function isClientFault(error: unknown): boolean {
  return error instanceof URIError && 'status' in error && error.status === 400
}
