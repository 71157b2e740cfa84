import type { Server } from 'node:http'
import type { Clock } from '../ports.ts'

/** Stops accepting connections and closes the server. Drops requests still running after `graceMs`. */
export async function closeServer(server: Server, graceMs: number, clock: Clock): Promise<void> {
  const closed = new AbortController()
  const ended = new Promise<void>((resolve) => {
    server.close(() => {
      closed.abort()
      resolve()
    })
  })
  const dropped = clock.wait(graceMs, closed.signal).then(
    () => server.closeAllConnections(),
    () => undefined,
  )
  // Close connections that become idle later too: keep-alive would otherwise delay the end.
  while (!closed.signal.aborted) {
    server.closeIdleConnections()
    await clock.wait(sweepMs, closed.signal).catch(() => undefined)
  }
  await Promise.all([ended, dropped])
}

const sweepMs = 50
