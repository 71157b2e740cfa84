import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import { BlockList, isIP, Server as NetServer, type Socket } from 'node:net'
import type { Dispatch } from './dispatch.ts'
import type { EarlyData, Exchange } from './exchange.ts'
import { type Peer, requestHeaders } from './headers.ts'
import { parseHostHeader } from './host-header.ts'
import { type Refusal, refusals, sendRefusal } from './refuse.ts'
import type { RouteTable } from './routes.ts'

export interface Listener {
  /** Throws what the system says, as EADDRINUSE. */
  listen(address: { readonly host: string; readonly port: number }): Promise<void>
  /** Takes no more connections, serves those that are open, and resolves when none is, or after `timeoutMs`. */
  retire(timeoutMs: number): Promise<void>
}

export interface ListenerDeps {
  readonly routes: RouteTable
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

/** What the world connects to: reads requests, finds out what they are for, and hands them on. */
export function createListener({
  routes,
  dispatch,
  trustedProxies,
  limits,
}: ListenerDeps): Listener {
  const peers = new WeakMap<Socket, Peer>()
  const open = new Set<Socket>()
  const trusted = blockListOf(trustedProxies)
  const makeId = createIdGenerator()
  let isRetiring = false
  let onEmpty: (() => void) | null = null

  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    // Bodies may last: the watch sees to those that stand still.
    requestTimeout: 0,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: limits.keepAliveMs,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    noDelay: true,
  })
  // Node would leave out what is past its own bound, without a word.
  server.maxHeadersCount = 0
  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => {
    if (open.has(socket)) return
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      if (open.size === 0) onEmpty?.()
    })
    const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
    peers.set(socket, { address, isTrusted: isIn(trusted, address) })
  })
  server.on('request', (request, response) => handleRequest(request, response, false))
  server.on('checkContinue', (request, response) => handleRequest(request, response, true))
  server.on('upgrade', (request, socket: Socket, head) => {
    if (request.headers.upgrade?.toLowerCase() === 'websocket') handleUpgrade(request, socket, head)
    else ignoreUpgrade(server, request, socket, head)
  })
  server.on('clientError', handleClientError)

  function handleRequest(
    request: IncomingMessage,
    response: ServerResponse,
    expectsContinue: boolean,
  ): void {
    // Those that are left must not keep others out.
    if (isRetiring || open.size > limits.connections * 0.8) response.shouldKeepAlive = false
    const { headers } = request
    const length = headers['content-length']
    const coding = headers['transfer-encoding']
    const exchange = createExchange(request, response, {
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
    const exchange = hasBody
      ? refusals.badUpgrade
      : createExchange(request, response, { hasBody: false, expectsContinue: false, earlyData })
    if ('status' in exchange) sendRefusal(response, request.headers.accept, exchange)
    else dispatch.begin(exchange)
  }

  /** What the request is for, or why it is not taken. */
  function createExchange(
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
        // What the target says holds, whatever `Host` says (RFC 9112, 3.2.2).
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
    const headers = requestHeaders(request, peers.get(socket) ?? unknownPeer, {
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
      hasBody: facts.hasBody,
      expectsContinue: facts.expectsContinue,
      earlyData: facts.earlyData,
      heldSince: 0,
      heldUntil: 0,
      app: null,
      upstream: null,
      isConsumed: false,
      isRetried: false,
      isFinished: false,
      waitsFor: 'nothing',
      waitsSince: 0,
    }
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
        // Not `server.close()`, which cuts idle connections: a request may be on its way on one.
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

const slash = 47
const maxEarlyBytes = 64 * 1024
const unknownPeer: Peer = { address: 'unknown', isTrusted: false }

/** Reads on, so that the client's end is seen while the app is woken; nobody sends much before the answer. */
function collectEarlyData(socket: Socket, head: Buffer): EarlyData {
  const chunks = head.length > 0 ? [head] : []
  let bytes = head.length
  const end = () => void socket.destroy()
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxEarlyBytes) socket.destroy()
  }
  socket.on('error', end).on('end', end).on('data', keep)
  return {
    take() {
      socket.off('end', end).off('data', keep)
      return chunks
    },
  }
}

/**
 * A request that offers another protocol than WebSocket, as Java's client offers HTTP/2 with each of its own: it is
 * read once more without the offer, which every server may pass over (RFC 9110, 7.8).
 */
function ignoreUpgrade(
  server: Server,
  request: IncomingMessage,
  socket: Socket,
  rest: Buffer,
): void {
  const { method, url, rawHeaders } = request
  let head = `${method} ${url} HTTP/1.1\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!/^(?:upgrade|http2-settings)$/i.test(name)) head += `${name}: ${rawHeaders[i + 1]}\r\n`
  }
  socket.unshift(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), rest]))
  server.emit('connection', socket)
}

const clientErrors: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not come in time'],
}

/** What is no HTTP is told so, unless an answer is on its way, and its connection ends. */
function handleClientError(error: Error, socket: Socket): void {
  const code = 'code' in error ? String(error.code) : ''
  // Node has no public name for the answer that a socket is busy with.
  const { _httpMessage: busy } = socket as { _httpMessage?: ServerResponse | null }
  if (!socket.writable || code === 'ECONNRESET' || busy?.headersSent) {
    socket.destroy()
    return
  }
  const [line, message] = clientErrors[code] ?? ['400 Bad Request', 'this is not well-formed HTTP']
  const body = JSON.stringify({ error: message })
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroySoon(),
  )
}

function createIdGenerator(): () => string {
  const start = Date.now().toString(36) + process.pid.toString(36)
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

function blockListOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
