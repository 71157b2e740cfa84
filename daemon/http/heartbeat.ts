import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ActivityUseCases } from '../app/ground/use-cases.ts'
import type { RequestCounts } from './metrics.ts'
import { commonHeaders } from './response.ts'
import { visitorHost } from './visitor-host.ts'

const path = '/api/v1/heartbeat'
const body = Buffer.from('{"status":"ok"}')
const headers = {
  ...Object.fromEntries(commonHeaders),
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body.length,
}

/**
 * Answers heartbeats before Express runs, because proxies send thousands a second. Returns false for other requests.
 * Answers 200 for unknown hosts too: a proxy cannot act on an error.
 */
export function createHeartbeat(
  activity: Pick<ActivityUseCases, 'heartbeat'>,
  counts: RequestCounts,
): (req: IncomingMessage, res: ServerResponse, requestId: string) => boolean {
  return (req, res, requestId) => {
    const { method, url = '' } = req
    if (!url.startsWith(path) || (url.length > path.length && url[path.length] !== '?'))
      return false
    if (method !== 'GET' && method !== 'POST' && method !== 'HEAD') return false
    const host = visitorHost(req.headers)
    if (host !== '') activity.heartbeat(host)
    counts.add(method, path, 200)
    res.writeHead(200, { ...headers, 'X-Request-Id': requestId })
    res.end(body)
    return true
  }
}
