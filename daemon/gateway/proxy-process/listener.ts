import { createServer, type IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { createAddressList, includesAddress } from './address-list.ts'
import type { Certificates } from './certificates.ts'
import type { Challenges } from './challenges.ts'
import { handleClientError } from './client-error.ts'
import type { Dispatch } from './dispatch.ts'
import type { Peer } from './headers.ts'
import { createPlainAnswers, type PlainAnswersDeps } from './plain-answers.ts'
import { createExchangeReader } from './read-exchange.ts'
import { refusals, sendRefusal } from './refuse.ts'
import type { RouteTable } from './routes.ts'
import { createTlsServer } from './tls-server.ts'
import { awaitResponses, collectEarlyData, ignoreUpgrade } from './upgrade.ts'

export interface Listener {
  /** Starts listening. Throws the system's error, for example EADDRINUSE. */
  listen(address: { readonly host: string; readonly port: number }): Promise<void>
  /** Accepts no more connections. Resolves when the open connections are closed, or after `timeoutMs`. */
  retire(timeoutMs: number): Promise<void>
}

export interface ListenerDeps {
  readonly routes: RouteTable
  readonly certificates: Certificates
  readonly challenges: Challenges
  /** Ports of the plain and the TLS listener; null without a TLS listener. */
  readonly ports: PlainAnswersDeps['ports']
  /** Settings of a listener for TLS; null for plain HTTP. */
  readonly tls: { readonly hstsSeconds: number | null } | null
  readonly dispatch: Dispatch
  readonly trustedProxies: readonly string[]
  readonly limits: {
    readonly connections: number
    readonly headerBytes: number
    readonly headerCount: number
    readonly headersMs: number
    readonly keepAliveMs: number
  }
}

/** Creates a public HTTP or HTTPS server: it parses requests, finds their routes and dispatches them. */
export function createListener({
  routes,
  certificates,
  challenges,
  ports,
  tls,
  dispatch,
  trustedProxies,
  limits,
}: ListenerDeps): Listener {
  const peers = new WeakMap<Socket, Peer>()
  const open = new Set<Socket>()
  const trusted = createAddressList(trustedProxies)
  const answerPlainly = createPlainAnswers({ certificates, challenges, ports })
  const readExchange = createExchangeReader({ routes, peers, limits })
  let isRetiring = false
  let onEmpty: (() => void) | null = null

  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // Disables Node's limit for a whole request: a body may take any time. The timeout watch ends stalled requests.
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: limits.keepAliveMs,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    noDelay: true,
  }
  const server = tls
    ? createTlsServer(options, { certificates, challenges })
    : createServer(options)
  // Disables Node's own limit: Node would silently drop the headers above it.
  server.maxHeadersCount = 0
  server.maxConnections = limits.connections
  const hsts = typeof tls?.hstsSeconds === 'number' ? `max-age=${tls.hstsSeconds}` : null
  const proto = tls ? 'https' : 'http'
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (open.has(socket)) return
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) onEmpty?.()
    })
    const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
    peers.set(socket, { address, isTrusted: includesAddress(trusted, address), proto, hsts })
  })
  server.on('request', (request, response) => handleRequest(request, response, false))
  server.on('checkContinue', (request, response) => handleRequest(request, response, true))
  server.on('upgrade', (request, socket: Socket, head) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    awaitResponses(socket, head, (rest) => {
      if (isWebSocket) handleUpgrade(request, socket, rest)
      else ignoreUpgrade(server, request, socket, rest)
    })
  })
  server.on('clientError', (error, socket: Socket) => {
    // After a failed handshake, no response can be sent.
    if (tls && !open.has(socket)) socket.destroy()
    else handleClientError(error, socket)
  })

  function handleRequest(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): void {
    // Idle keep-alive connections must not use up the connection limit, or delay the retirement.
    if (isRetiring || open.size > limits.connections * 0.8) response.shouldKeepAlive = false
    if (answerPlainly(request, response, peers.get(request.socket))) return
    const { headers } = request
    const length = headers['content-length']
    const coding = headers['transfer-encoding']
    const exchange = readExchange(request, response, {
      hasBody: coding !== undefined || (length !== undefined && length !== '0'),
      expectsContinue,
      earlyData: null,
    })
    if ('status' in exchange) {
      if (expectsContinue) response.shouldKeepAlive = false
      sendRefusal(response, headers.accept, exchange)
    } else dispatch.begin(exchange)
  }

  function handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.on('finish', () => {
      response.detachSocket(socket)
      socket.destroySoon()
    })
    const earlyData = collectEarlyData(socket, head)
    const hasBody =
      request.headers['transfer-encoding'] !== undefined ||
      (request.headers['content-length'] ?? '0') !== '0'
    if (answerPlainly(request, response, peers.get(socket))) return
    const exchange = hasBody
      ? refusals.badUpgrade
      : readExchange(request, response, { hasBody: false, expectsContinue: false, earlyData })
    if ('status' in exchange) sendRefusal(response, request.headers.accept, exchange)
    else dispatch.begin(exchange)
  }

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port, backlog: 1_024 }, () => {
          server.off('error', reject)
          resolve()
        })
      }),
    retire: (timeoutMs) =>
      new Promise((resolve) => {
        isRetiring = true
        // `http.Server.close()` is unsuitable: it closes idle connections, on which a request may be in flight.
        NetServer.prototype.close.call(server)
        onEmpty = resolve
        if (open.size === 0) resolve()
        const idle = setTimeout(() => server.closeIdleConnections(), Math.min(2_000, timeoutMs))
        const all = setTimeout(resolve, timeoutMs)
        idle.unref()
        all.unref()
      }),
  }
}
