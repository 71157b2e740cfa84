import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from './apps.ts'
import type { Exchange } from './exchange.ts'
import { replyHeaders } from './headers.ts'
import { type UnusableReply, writeReplyHead } from './reply-head.ts'

/**
 * Sends an upgrade request to an app on a new connection. Connects client and app if the app accepts; otherwise relays
 * the app's normal response. Calls `failed` if the app does not respond.
 */
export function tunnel(
  exchange: Exchange,
  app: App,
  failed: (exchange: Exchange, upstream: ClientRequest, error: Error) => void,
): void {
  const { request, response, path, headers } = exchange
  const client = request.socket
  const upstream = sendRequest({
    agent: false,
    host: app.host,
    port: app.port,
    method: request.method,
    path,
    headers,
  })
  exchange.upstream = upstream
  exchange.waitsSince = Date.now()
  exchange.waitsFor = 'answer'
  const fail = (error: Error) => {
    if (exchange.isFinished || exchange.upstream !== upstream) return
    if (exchange.waitsFor === 'answer') failed(exchange, upstream, error)
  }
  upstream.on('error', fail)
  upstream.on('upgrade', (reply, socket, head) => {
    if (exchange.isFinished) {
      socket.destroy()
      return
    }
    exchange.waitsFor = 'nothing'
    exchange.entry.refusals = 0
    response.detachSocket(client)
    client.write(formatHead(reply), 'latin1')
    if (head.length > 0) client.write(head)
    joinSockets(exchange, client, socket)
  })
  upstream.on('response', (reply) => {
    try {
      writeReplyHead(response, reply, replyHeaders(reply, { trailers: false }))
    } catch (error) {
      fail(error as UnusableReply)
      return
    }
    exchange.waitsFor = 'nothing'
    reply.pipe(response)
    reply.on('error', () => response.destroy())
  })
  upstream.end()
}

function formatHead(reply: IncomingMessage): string {
  const headers = [
    ...replyHeaders(reply, { trailers: false }),
    'Connection',
    'Upgrade',
    'Upgrade',
    reply.headers.upgrade ?? '',
  ]
  let head = `HTTP/1.1 101 ${reply.statusMessage ?? ''}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  return `${head}\r\n`
}

function joinSockets(exchange: Exchange, client: Socket, app: Socket): void {
  for (const chunk of exchange.earlyData?.take() ?? []) app.write(chunk)
  for (const socket of [client, app]) {
    socket.setTimeout(0)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
  }
  app.on('error', () => client.destroy())
  app.on('close', () => client.destroySoon())
  client.on('close', () => app.destroySoon())
  client.pipe(app)
  app.pipe(client)
}
