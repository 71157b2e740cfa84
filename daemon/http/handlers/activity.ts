import type { Request, Response } from 'express'
import { DaemonError } from '../../errors.ts'
import { answered, type HandlerDeps } from '../call.ts'
import { visitorHost } from '../visitor-host.ts'
import { wakePage, wakePagePolicy } from '../wake-page.ts'
import type { Handlers } from './handlers.ts'

type Names = 'wakeByHost' | 'wakeByHostPosted' | 'heartbeat' | 'heartbeatPosted'

export function activityHandlers({ useCases: { activity } }: HandlerDeps): Pick<Handlers, Names> {
  async function wake({ req, res }: { req: Request; res: Response }) {
    const host = visitorHost(req.headers)
    if (host === '') {
      throw new DaemonError(
        'bad-request',
        'the request names no host: send X-Forwarded-Host or Host',
      )
    }
    const found = await activity.wakeByHost(host)
    if (!found) throw new DaemonError('not-found', 'no environment has this host name')
    const page = Buffer.from(wakePage(host, found.branch))
    res.writeHead(503, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': page.length,
      'Content-Security-Policy': wakePagePolicy,
      'Retry-After': '1',
    })
    res.end(page)
    return answered
  }

  function beat({ req }: { req: Request }) {
    const host = visitorHost(req.headers)
    if (host !== '') activity.heartbeat(host)
    return { status: 200, body: { status: 'ok' } } as const
  }

  // Heartbeats are answered ahead of the routes; these stand for what comes by another spelling of the path.
  return { wakeByHost: wake, wakeByHostPosted: wake, heartbeat: beat, heartbeatPosted: beat }
}
