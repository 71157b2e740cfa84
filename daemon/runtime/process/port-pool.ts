import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { isInRange, type PortRange } from '../../domain/port-range.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock } from '../../ports.ts'

/** Closes ports outside the range of apps to other users while their apps run. */
export interface FixedPortWall {
  close(port: number): Promise<void>
  open(port: number): Promise<void>
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
  /** Returns the taken ports. */
  taken(): number[]
}

export function createPortPool(
  range: PortRange,
  {
    clock,
    cooldownMs,
    wall,
    reclaim = async () => false,
    reserved = [],
  }: {
    clock: Clock
    cooldownMs: number
    wall?: FixedPortWall
    /** Ends processes of projects that hold ports which are not theirs. Returns true if one was ended. */
    reclaim?: (port?: number) => Promise<boolean>
    /** Ports of the daemon and the gateway. No app may have them as a fixed port. */
    reserved?: readonly number[]
  },
): PortPool {
  const { from, to } = range
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

  async function findFree(): Promise<number | undefined> {
    for (let tries = 0; tries < size; tries += 1) {
      const port = from + next
      next = (next + 1) % size
      if (!isCoolingDown(port) && (await tryTake(port))) return port
    }
    // No other port is free: take the port whose cooldown started first.
    for (const port of [...releasedAt.keys()]) {
      if (isInRange(port, range) && (await tryTake(port))) return port
    }
    return undefined
  }

  return {
    async take() {
      const port = (await findFree()) ?? ((await reclaim()) ? await findFree() : undefined)
      if (port !== undefined) return port
      throw new DaemonError('transient', `no port from ${from} to ${to} is free`)
    },
    async takeFixed(port) {
      if (reserved.includes(port)) {
        throw new DaemonError(
          'unprocessable',
          `the fixed port ${port} belongs to the daemon or the gateway: set another "deploy.port" in strata.json, or listen on PORT`,
        )
      }
      if ((await tryTake(port)) || ((await reclaim(port)) && (await tryTake(port)))) {
        await wall?.close(port)
        return
      }
      const owner = taken.has(port) ? 'another app' : 'another program'
      throw new DaemonError(
        'unprocessable',
        `the app's fixed port ${port} is in use by ${owner}: free it, or remove "deploy.port" from strata.json and listen on PORT`,
      )
    },
    markTaken: (port) => void taken.add(port),
    release(port) {
      taken.delete(port)
      releasedAt.delete(port)
      releasedAt.set(port, clock.now())
      if (!isInRange(port, range)) void wall?.open(port)
    },
    taken: () => [...taken],
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
