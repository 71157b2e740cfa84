import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import type { Duplex } from 'node:stream'
import { type App, closeStaleConnections } from './apps.ts'
import type { Exchange } from './exchange.ts'
import { replyHeaders, trailersOf } from './headers.ts'
import { UnusableReply, writeReplyHead } from './reply-head.ts'

/** Maximum size of a response head. Responses may have larger heads than requests, for example many cookies. */
const maxReplyHeadBytes = 128 * 1024
const smallBodyBytes = 16 * 1024

/**
 * Streams a request to its app and the response back. Calls `failed` if the app does not respond; the client has then
 * received nothing.
 */
export function forward(
  exchange: Exchange,
  app: App,
  failed: (exchange: Exchange, upstream: ClientRequest, error: Error) => void,
): void {
  const { request, path, headers, hasBody, expectsContinue } = exchange
  if (hasBody || !isRepeatable(request.method)) closeStaleConnections(app.agent)
  const upstream = sendRequest({
    agent: app.agent,
    host: app.host,
    port: app.port,
    method: request.method,
    path,
    headers,
    maxHeaderSize: maxReplyHeadBytes,
  })
  exchange.upstream = upstream
  exchange.waitsSince = Date.now()
  exchange.waitsFor = 'answer'
  const fail = (error: Error) => {
    // After the start of a response, `relay` handles errors. A retried request has another upstream.
    if (exchange.isFinished || exchange.upstream !== upstream) return
    if (exchange.waitsFor === 'answer' || exchange.waitsFor === 'body') {
      failed(exchange, upstream, error)
    }
  }
  upstream.on('response', (reply: IncomingMessage) => relay(exchange, reply, fail))
  upstream.on('information', (info) => relayInformation(exchange, info))
  upstream.on('upgrade', rejectUpgrade)
  upstream.on('error', fail)
  if (!hasBody) upstream.end()
  else {
    if (expectsContinue) upstream.flushHeaders()
    // Do not read the body before the connection is established: until then the request can be retried.
    upstream.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => sendBody(exchange, upstream))
      else sendBody(exchange, upstream)
    })
  }
}

/** Returns true for idempotent methods (RFC 9110, 9.2.2). */
export function isRepeatable(method: string | undefined): boolean {
  return /^(?:GET|HEAD|PUT|DELETE|OPTIONS|TRACE)$/.test(method ?? '')
}

function sendBody(exchange: Exchange, upstream: ClientRequest): void {
  const { request } = exchange
  if (exchange.isFinished || exchange.upstream !== upstream) return
  exchange.waitsFor = 'body'
  exchange.waitsSince = Date.now()

  function onData(chunk: Buffer): void {
    exchange.isConsumed = true
    if (exchange.waitsFor === 'body') exchange.waitsSince = Date.now()
    if (upstream.write(chunk)) return
    request.pause()
    // Back-pressure of the app: the body timeout must not count against the client.
    if (exchange.waitsFor === 'body') exchange.waitsFor = 'answer'
  }

  function onDrain(): void {
    if (exchange.waitsFor === 'answer') exchange.waitsFor = 'body'
    exchange.waitsSince = Date.now()
    request.resume()
  }

  function onEnd(): void {
    const trailers = trailersOf(request)
    if (trailers.length > 0 && isChunked(exchange.headers)) upstream.addTrailers(trailers)
    upstream.end()
    if (exchange.waitsFor !== 'body') return
    exchange.waitsFor = 'answer'
    exchange.waitsSince = Date.now()
  }

  /** Stops reading the body, so that a retry can send it on another connection. */
  function stop(): void {
    request.off('data', onData).off('end', onEnd).pause()
  }

  request.on('data', onData).on('end', onEnd).resume()
  upstream.on('drain', onDrain).once('error', stop)
  upstream.once('close', () => {
    if (exchange.upstream !== upstream) return
    stop()
    // The app has responded and closed the connection: discard the rest of the body.
    if (exchange.waitsFor !== 'answer' && exchange.waitsFor !== 'body') request.resume()
  })
}

function isChunked(headers: readonly string[]): boolean {
  return headers.includes('Transfer-Encoding')
}

/** Fails a plain request that the app answers with 101. Without this listener Node would end the request silently. */
function rejectUpgrade(this: ClientRequest, _reply: IncomingMessage, socket: Duplex): void {
  socket.destroy()
  this.emit('error', new UnusableReply('the app answered a plain request with 101'))
}

function relay(exchange: Exchange, reply: IncomingMessage, fail: (error: Error) => void): void {
  const { request, response } = exchange
  if (exchange.isFinished) {
    reply.destroy()
    return
  }
  exchange.entry.refusals = 0
  exchange.answeredAt = performance.now()
  const isPlain = request.httpVersionMinor === 0 || request.method === 'HEAD'
  const hasTrailers = !isPlain && reply.headers['transfer-encoding'] !== undefined
  // Without a 100 response the client may or may not send the body: the connection can't be reused.
  if (exchange.expectsContinue && !exchange.isConsumed) response.shouldKeepAlive = false
  try {
    const headers = replyHeaders(reply, { trailers: hasTrailers })
    if (exchange.hsts !== null && reply.headers['strict-transport-security'] === undefined) {
      headers.push('Strict-Transport-Security', exchange.hsts)
    }
    writeReplyHead(response, reply, headers)
  } catch (error) {
    fail(error as UnusableReply)
    return
  }
  exchange.waitsFor = 'nothing'
  let hasBegun = false
  let isStalled = false
  reply.on('data', (chunk: Buffer) => {
    if (!hasBegun && chunk.length < smallBodyBytes && isWholeBody(reply, chunk)) {
      hasBegun = true
      // Node sends a string in one packet with the head, but not a Buffer.
      response.end(chunk.toString('latin1'), 'latin1')
      return
    }
    hasBegun = true
    if (response.write(chunk) || isStalled) return
    isStalled = true
    reply.pause()
    exchange.waitsFor = 'client'
    exchange.waitsSince = Date.now()
    response.once('drain', () => {
      isStalled = false
      exchange.waitsFor = 'nothing'
      reply.resume()
    })
  })
  reply.on('end', () => {
    hasBegun = true
    if (hasTrailers) {
      const trailers = trailersOf(reply)
      if (trailers.length > 0) response.addTrailers(trailers)
    }
    if (!response.writableEnded) response.end()
  })
  // The app aborted its response. Abort here too, or the client treats the partial body as complete.
  reply.on('error', () => response.destroy())
  // Send the headers now: a stream may send its first data much later.
  setImmediate(() => {
    if (!hasBegun && !response.destroyed) response.flushHeaders()
  })
}

function isWholeBody(reply: IncomingMessage, chunk: Buffer): boolean {
  return Number(reply.headers['content-length']) === chunk.length
}

/** Relays the informational responses 100, 102 and 103, but not to HTTP/1.0 clients. */
function relayInformation(
  exchange: Exchange,
  info: { statusCode: number; rawHeaders: readonly string[] },
): void {
  const { request, response } = exchange
  if (exchange.isFinished || response.headersSent || request.httpVersionMinor === 0) return
  if (info.statusCode === 100 && exchange.expectsContinue) response.writeContinue()
  else if (info.statusCode === 102) response.writeProcessing()
  else if (info.statusCode === 103) {
    const links = info.rawHeaders.filter(
      (_, at, all) => at % 2 === 1 && all[at - 1]?.toLowerCase() === 'link',
    )
    try {
      response.writeEarlyHints({ link: links })
    } catch {
      // Drop a malformed informational response; the final response follows.
    }
  }
}
