import type { Server } from 'node:http'

/**
 * Stops accepting connections and waits for pending requests. Closes keep-alive connections once they are idle,
 * and all connections after `graceMs`.
 */
export function stopServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const closeIdle = setInterval(() => server.closeIdleConnections(), 50)
    const closeAll = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(closeIdle)
      clearTimeout(closeAll)
      resolve()
    })
  })
}
