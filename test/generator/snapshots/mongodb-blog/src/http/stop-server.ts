import type { Server } from 'node:http'

/**
 * Stops accepting, lets the requests in hand finish, and cuts what is left after `graceMs`. Connections
 * that fall idle meanwhile are closed, so that keep-alive holds nothing up.
 */
export function stopServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
  })
}
