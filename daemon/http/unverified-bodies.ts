import type { IncomingMessage } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import { checkBodyHeaders, collectBody } from './body.ts'

/** Reads the bodies of deliveries whose signature is not verified yet. */
export interface UnverifiedBodies {
  /**
   * Reads a whole body of at most 25 MiB. Throws DaemonError `too-slow`, `too-large` or `bad-request`. Throws
   * `throttled` if the body is aborted to free memory for others.
   */
  read(req: IncomingMessage): Promise<Buffer>
}

const mib = 2 ** 20
const maxBodyBytes = 25 * mib
const maxPeerBytes = 50 * mib
const maxBytes = 125 * mib
/** Size above which a body is aborted before smaller bodies. */
const smallBytes = mib
/** Memory overhead of a chunk: a body may arrive in chunks of one byte. */
const chunkBytes = 128
/** A body may always take `graceMs`, and at most `maxMs`. In between it must keep the average rate. */
const graceMs = 10_000
const maxMs = 120_000
const minBytesPerMs = (16 * 2 ** 10) / 1_000

interface Reading {
  readonly peer: Peer
  received: number
  /** Memory that this body uses, in bytes. */
  bytes: number
  readonly stop: AbortController
}

interface Peer {
  bytes: number
  /** Bodies being read, oldest first. */
  readonly readings: Set<Reading>
}

/**
 * Limits the memory of all bodies, and of each peer's bodies, by the bytes received: a sender may announce more than it
 * sends. Above a limit an older body is aborted, so that a new small body is always read.
 */
export function createUnverifiedBodies(clock: Pick<Clock, 'wait'>): UnverifiedBodies {
  const peers = new Map<string, Peer>()
  let bytes = 0

  function add(reading: Reading, size: number): void {
    const { peer } = reading
    const cost = size + chunkBytes
    reading.received += size
    reading.bytes += cost
    peer.bytes += cost
    bytes += cost
    while (peer.bytes > maxPeerBytes) displaceFrom(peer)
    while (bytes > maxBytes) displaceFrom(largest(peers.values()) ?? peer)
  }

  function displaceFrom(peer: Peer): void {
    const [oldest] = peer.readings
    const large = [...peer.readings].find(({ received }) => received > smallBytes)
    const displaced = large ?? oldest
    if (displaced === undefined) return
    release(displaced)
    displaced.stop.abort(tooMany())
  }

  function release(reading: Reading): void {
    const { peer } = reading
    if (!peer.readings.delete(reading)) return
    peer.bytes -= reading.bytes
    bytes -= reading.bytes
  }

  return {
    async read(req) {
      checkBodyHeaders(req, maxBodyBytes)
      const address = req.socket.remoteAddress ?? ''
      const peer = peers.get(address) ?? { bytes: 0, readings: new Set() }
      peers.set(address, peer)
      const reading: Reading = { peer, received: 0, bytes: 0, stop: new AbortController() }
      peer.readings.add(reading)
      const { signal } = reading.stop
      const ended = new AbortController()
      void stopIfSlow(reading, clock, ended.signal)
      try {
        return await collectBody(req, maxBodyBytes, {
          signal,
          onChunk: (size) => !signal.aborted && add(reading, size),
        })
      } finally {
        ended.abort()
        release(reading)
        if (peer.readings.size === 0) peers.delete(address)
      }
    },
  }
}

/** Aborts a body whose rate is too low. Resolves when `ended` aborts. */
async function stopIfSlow(
  reading: Reading,
  clock: Pick<Clock, 'wait'>,
  ended: AbortSignal,
): Promise<void> {
  let passedMs = 0
  let allowedMs = graceMs
  while (passedMs < allowedMs) {
    const ms = allowedMs - passedMs
    await clock.wait(ms, ended).catch(() => {})
    if (ended.aborted) return
    passedMs += ms
    allowedMs = Math.min(maxMs, graceMs + Math.floor(reading.received / minBytesPerMs))
  }
  reading.stop.abort(
    new DaemonError('too-slow', 'the body came too slowly: expected 16 KiB/s, and an end in 120 s'),
  )
}

function largest(peers: Iterable<Peer>): Peer | undefined {
  let found: Peer | undefined
  for (const peer of peers) if (found === undefined || peer.bytes > found.bytes) found = peer
  return found
}

function tooMany(): DaemonError {
  return new DaemonError(
    'throttled',
    'too many large deliveries at once: send this one again later',
    { details: { retry_after: 5 } },
  )
}
