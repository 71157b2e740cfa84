import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'

export interface PortRange {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

/** Ports for apps. One that was given back rests for a while: somebody may still believe it is the old app's. */
export interface PortPool {
  /** A port that nobody listens on. Throws `transient` when there is none. */
  take(): Promise<number>
  /** This very port. Throws `unprocessable` when somebody has it. */
  takeFixed(port: number): Promise<void>
  /** Notes that an app that runs already has it. */
  keep(port: number): void
  release(port: number): void
}

export function createPortPool(
  { from, to }: PortRange,
  { clock, restMs }: { clock: Clock; restMs: number },
): PortPool {
  const size = to - from + 1
  const taken = new Set<number>()
  const releasedAt = new Map<number, number>()
  // Daemons of one host don't try the same ports at the same time.
  let next = randomInt(size)

  async function tryTake(port: number): Promise<boolean> {
    if (taken.has(port)) return false
    taken.add(port)
    if (await isFree(port)) return true
    taken.delete(port)
    return false
  }

  function isResting(port: number): boolean {
    const at = releasedAt.get(port)
    if (at === undefined) return false
    if (clock.now() - at < restMs) return true
    releasedAt.delete(port)
    return false
  }

  return {
    async take() {
      for (let tries = 0; tries < size; tries += 1) {
        const port = from + next
        next = (next + 1) % size
        if (!isResting(port) && (await tryTake(port))) return port
      }
      // Rather one that rests than none; the one that rests longest comes first.
      for (const port of [...releasedAt.keys()]) {
        if (port >= from && port <= to && (await tryTake(port))) return port
      }
      throw new DaemonError('transient', `no port from ${from} to ${to} is free`)
    },
    async takeFixed(port) {
      if (await tryTake(port)) return
      throw new DaemonError(
        'unprocessable',
        `port ${port}, which the app insists on, is in use: let the app listen on PORT, or free it`,
      )
    },
    keep: (port) => void taken.add(port),
    release(port) {
      taken.delete(port)
      releasedAt.delete(port)
      releasedAt.set(port, clock.now())
    },
  }
}

/** Free for an app that listens on loopback and for one that listens everywhere. */
async function isFree(port: number): Promise<boolean> {
  return (await canListen('127.0.0.1', port)) && (await canListen('::', port))
}

function canListen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false)
      // A host without IPv6.
      else if (host === '::') resolve(canListen('0.0.0.0', port))
      else reject(error)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
