import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pathOf } from '../api/route.ts'
import type { ActivityUseCases } from '../app/ground/use-cases.ts'
import type { Clock, Logger } from '../ports.ts'
import { createHeartbeat } from './heartbeat.ts'
import { localsOf, setLocals } from './locals.ts'
import type { RequestCounts } from './metrics.ts'
import { commonHeaders, sendJson } from './response.ts'

export interface ListenerDeps {
  readonly activity: Pick<ActivityUseCases, 'heartbeat'>
  readonly counts: RequestCounts
  readonly logger: Logger
  readonly clock: Clock
}

/** Wraps the routes: sets the request id and common headers, answers heartbeats, and logs each finished request. */
export function createListener(
  app: RequestListener,
  { activity, counts, logger, clock }: ListenerDeps,
): RequestListener {
  const beat = createHeartbeat(activity, counts)
  return (req, res) => {
    const requestId = givenId(req.headers['x-request-id']) ?? randomUUID()
    res.once('close', () => dropUnreadBody(req, clock))
    if (beat(req, res, requestId)) return
    setLocals(res, { requestId })
    res.setHeaders(commonHeaders)
    res.setHeader('X-Request-Id', requestId)
    logWhenClosed(req, res, { logger, clock, counts })
    if (req.headers.host === undefined && req.httpVersion === '1.1') {
      sendJson(res, 400, { error: 'missing Host header' })
      return
    }
    app(req, res)
  }
}

function givenId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}

function logWhenClosed(
  req: IncomingMessage,
  res: ServerResponse,
  { logger, clock, counts }: { logger: Logger; clock: Clock; counts: RequestCounts },
): void {
  const startedAt = clock.now()
  const { method = '', url = '' } = req
  res.once('close', () => {
    const { requestId, operator, route } = localsOf(res)
    counts.add(route?.method ?? 'any', route ? pathOf(route) : 'none', res.statusCode)
    const fields = {
      requestId,
      method,
      // Log the path without the query, which may contain a token.
      path: url.split('?', 1)[0]?.slice(0, 500),
      status: res.statusCode,
      ms: clock.now() - startedAt,
      operator,
      ...(!res.writableFinished && { isCutOff: true }),
    }
    if (route?.isFrequent) logger.debug(fields, 'request')
    else logger.info(fields, 'request')
  })
}

/** Maximum time that a sender may continue a body after the response. */
const lingerMs = 2000

/** Discards the rest of an unread body, so that the client receives the response. Disconnects after `lingerMs`. */
function dropUnreadBody(req: IncomingMessage, clock: Clock): void {
  if (req.complete || req.destroyed) return
  const over = new AbortController()
  req.once('close', () => over.abort())
  req.resume()
  clock.wait(lingerMs, over.signal).then(
    () => req.destroy(),
    () => undefined,
  )
}
