import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'

export interface PortRange {
  readonly from: number
  /** Last port of the range, inclusive. */
  readonly to: number
}

/**
 * Ports for apps. A released port has a cooldown, because a client may still send requests for the previous app to it.
 */
export interface PortPool {
  /** Takes a free port. Throws `transient` if no port is free. */
  take(): Promise<number>
  /** Takes the given port. Throws `unprocessable` if it is in use. */
  takeFixed(port: number): Promise<void>
  /** Reserves the port of an adopted app. */
  markTaken(port: number): void
  release(port: number): void
}

export function createPortPool(
  { from, to }: PortRange,
  { clock, cooldownMs }: { clock: Clock; cooldownMs: number },
): PortPool {
  const size = to - from + 1
  const taken = new Set<number>()
  const releasedAt = new Map<number, number>()
  // Start at a random port: several daemons on one host then rarely try the same port.
  let next = randomInt(size)

  async function tryTake(port: number): Promise<boolean> {
    if (taken.has(port)) return false
    taken.add(port)
    if (await isFree(port)) return true
    taken.delete(port)
    return false
  }

  function isCoolingDown(port: number): boolean {
    const at = releasedAt.get(port)
    if (at === undefined) return false
    if (clock.now() - at < cooldownMs) return true
    releasedAt.delete(port)
    return false
  }

  return {
    async take() {
      for (let tries = 0; tries < size; tries += 1) {
        const port = from + next
        next = (next + 1) % size
        if (!isCoolingDown(port) && (await tryTake(port))) return port
      }
      // No other port is free: take the port whose cooldown started first.
      for (const port of [...releasedAt.keys()]) {
        if (port >= from && port <= to && (await tryTake(port))) return port
      }
      throw new DaemonError('transient', `no port from ${from} to ${to} is free`)
    },
    async takeFixed(port) {
      if (await tryTake(port)) return
      throw new DaemonError(
        'unprocessable',
        `the app's fixed port ${port} is in use: free it, or remove "deploy.port" from strata.json and listen on PORT`,
      )
    },
    markTaken: (port) => void taken.add(port),
    release(port) {
      taken.delete(port)
      releasedAt.delete(port)
      releasedAt.set(port, clock.now())
    },
  }
}

/** Returns true if an app can listen on the port, both on loopback and on all addresses. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen('127.0.0.1', port)) && (await canListen('::', port))
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false)
      // The host has no IPv6.
      else if (host === '::') resolve(canListen('0.0.0.0', port))
      else reject(error)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
