import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { responseOf } from './current-response.ts'
import type { EarlyData } from './exchange.ts'

const maxEarlyBytes = 64 * 1024

/**
 * Buffers the bytes after the head of an upgrade request, so that a disconnect is detected during a wake. Destroys the
 * socket above the limit: clients send little before the app accepts the protocol.
 */
export function collectEarlyData(socket: Socket, head: Buffer): EarlyData {
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
 * Calls `act` with the bytes after the head of an upgrade request, once the connection's earlier responses are sent.
 * Never calls `act` if the connection closes first.
 */
export function awaitResponses(socket: Socket, head: Buffer, act: (rest: Buffer) => void): void {
  if (responseOf(socket) === null) {
    act(head)
    return
  }
  const earlyData = collectEarlyData(socket, head)
  const proceed = () => {
    const response = responseOf(socket)
    if (response !== null) {
      response.once('finish', proceed)
      return
    }
    const rest = Buffer.concat(earlyData.take())
    // The previous response was the last response of its connection.
    if (!socket.writable) return
    // Clear the timeout that Node sets on an idle connection.
    socket.setTimeout(0)
    socket.pause()
    act(rest)
    socket.resume()
  }
  proceed()
}

/**
 * Serves a request that offers a protocol other than WebSocket as a plain request. A server may ignore the offer (RFC
 * 9110, 7.8). Java's HTTP client offers HTTP/2 with each request. Node can't resume such a request: parse its head
 * again, without the offer.
 */
export function ignoreUpgrade(
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
  server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket)
}
