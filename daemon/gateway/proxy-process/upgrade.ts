import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { EarlyData } from './exchange.ts'

const maxEarlyBytes = 64 * 1024

/**
 * Buffers the bytes after the head of an upgrade request, so that a disconnect is detected while the app is woken.
 * Destroys the socket past the limit: no client sends much before the app accepts the protocol.
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
 * Serves a request that offers a protocol other than WebSocket as a plain request. A server may ignore the offer (RFC
 * 9110, 7.8). Java's client offers HTTP/2 with each request. Node can't resume such a request, so its head is parsed
 * again without the offer.
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
  server.emit('connection', socket)
}
