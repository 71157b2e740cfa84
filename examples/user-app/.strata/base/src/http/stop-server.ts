import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

interface Delays {
  /** How long pending requests may take before their connections are closed. */
  graceMs: number
  /** How long idle connections stay open for requests that are already on their way. */
  idleMs: number
}

/**
 * Stops accepting connections and waits for pending requests. Answers `Connection: close` from now on, so that no
 * client sends a request to a connection that is being closed.
 */
export function stopServer(server: Server, { graceMs, idleMs }: Delays): Promise<void> {
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'))
  return new Promise((resolve) => {
    let closeIdle: NodeJS.Timeout | undefined
    const firstIdle = setTimeout(() => {
      closeIdle = setInterval(() => server.closeIdleConnections(), 50)
    }, idleMs)
    const closeAll = setTimeout(() => server.closeAllConnections(), graceMs)
    // `close` of an HTTP server closes idle connections at once, and resets their next requests.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(firstIdle)
      clearInterval(closeIdle)
      clearTimeout(closeAll)
      resolve()
    })
  })
}
