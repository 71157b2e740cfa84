import type { Request, Response } from 'express'
import { DaemonError } from '../../errors.ts'
import { alreadySent, type HandlerDeps, type Handlers } from '../call.ts'
import { wakePage, wakePagePolicy } from '../external-proxy-wake-page.ts'
import { visitorHost } from '../visitor-host.ts'

type Names = 'wakeByHost' | 'wakeByHostPosted' | 'heartbeat' | 'heartbeatPosted'

export function externalProxyHandlers({
  useCases: { activity },
}: HandlerDeps): Pick<Handlers, Names> {
  async function wake({ req, res }: { req: Request; res: Response }) {
    const host = visitorHost(req.headers)
    if (host === '') {
      throw new DaemonError('bad-request', 'missing host name: send X-Forwarded-Host or Host')
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
    return alreadySent
  }

  function heartbeat({ req }: { req: Request }) {
    const host = visitorHost(req.headers)
    if (host !== '') activity.heartbeat(host)
    return { status: 200, body: { status: 'ok' } } as const
  }

  // The listener answers most heartbeats directly. These handlers serve other spellings of the path.
  return { wakeByHost: wake, wakeByHostPosted: wake, heartbeat, heartbeatPosted: heartbeat }
}
