import type { Server } from 'node:http'
import type { Clock } from '../ports.ts'

/** Stops accepting, lets the requests in hand finish, and cuts what is left after `graceMs`. */
export async function closeServer(server: Server, graceMs: number, clock: Clock): Promise<void> {
  const closed = new AbortController()
  const ended = new Promise<void>((resolve) => {
    server.close(() => {
      closed.abort()
      resolve()
    })
  })
  const cut = clock.wait(graceMs, closed.signal).then(
    () => server.closeAllConnections(),
    () => undefined,
  )
  // Connections that fall idle only now are closed too, so that keep-alive holds nothing up.
  while (!closed.signal.aborted) {
    server.closeIdleConnections()
    await clock.wait(sweepMs, closed.signal).catch(() => undefined)
  }
  await Promise.all([ended, cut])
}

const sweepMs = 50
