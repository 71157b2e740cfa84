import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'
import { type Peer, requestHeaders } from './headers.ts'
import { parseHostHeader } from './host-header.ts'
import { type Refusal, refusals } from './refuse.ts'
import type { RouteTable } from './routes.ts'

export interface ExchangeReaderDeps {
  readonly routes: RouteTable
  readonly peers: WeakMap<Socket, Peer>
  readonly limits: { readonly headerCount: number }
}

const slash = 47
const unknownPeer: Peer = { address: 'unknown', isTrusted: false, proto: 'http', hsts: null }

/** Returns a function that finds a request's route and headers, and returns its exchange or a refusal. */
export function createExchangeReader({ routes, peers, limits }: ExchangeReaderDeps) {
  const makeId = createIdGenerator()

  return function readExchange(
    request: IncomingMessage,
    response: ServerResponse,
    facts: Pick<Exchange, 'hasBody' | 'expectsContinue' | 'earlyData'>,
  ): Exchange | Refusal {
    const { headers: given, rawHeaders, socket } = request
    let host = given.host ?? ''
    let path = request.url ?? ''
    if (path.charCodeAt(0) !== slash) {
      const target = /^https?:\/\/([^/?#]*)([/?]?[^#]*)$/i.exec(path)
      if (target) {
        // The host of an absolute target overrides the Host header (RFC 9112, 3.2.2).
        host = target[1] ?? ''
        path = target[2]?.startsWith('/') ? target[2] : `/${target[2] ?? ''}`
      } else if (path !== '*' || request.method !== 'OPTIONS') return refusals.badTarget
    }
    let entry = routes.find(host)
    if (entry === undefined) {
      const hostname = parseHostHeader(host)
      if (hostname === undefined) return refusals.badHost
      entry = routes.find(hostname)
      if (entry === undefined) return refusals.unknownHost
    }
    if (rawHeaders.length > limits.headerCount * 2) return refusals.tooManyHeaders
    const coding = given['transfer-encoding']
    if (coding !== undefined && coding.toLowerCase() !== 'chunked') return refusals.badEncoding
    const peer = peers.get(socket) ?? unknownPeer
    const headers = requestHeaders(request, peer, {
      makeId,
      host,
      upgrade: facts.earlyData !== null,
    })
    if (headers === undefined) return refusals.badHost
    return {
      request,
      response,
      entry,
      path,
      headers,
      hsts: peer.hsts,
      hasBody: facts.hasBody,
      expectsContinue: facts.expectsContinue,
      earlyData: facts.earlyData,
      heldSince: 0,
      heldUntil: 0,
      heldProjectId: 0,
      app: null,
      upstream: null,
      pipeline: null,
      isConsumed: false,
      isRetried: false,
      isFinished: false,
      waitsFor: 'nothing',
      waitsSince: 0,
      client: (peers.get(socket) ?? unknownPeer).address,
      startedAt: performance.now(),
      answeredAt: 0,
    }
  }
}

function createIdGenerator(): () => string {
  const start = Date.now().toString(36) + process.pid.toString(36)
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
