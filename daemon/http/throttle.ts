import type { IncomingMessage } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import type { Identity } from './auth.ts'

/**
 * Throws DaemonError `throttled` if the token exceeds the rate limit. Without a valid token the limit applies to the
 * peer.
 */
export type Throttle = (identity: Identity, req: IncomingMessage) => void

export interface RateLimit {
  readonly perSecond: number
  /** Capacity of the bucket: requests allowed at once. */
  readonly burst: number
}

/** A token bucket. `tokens` is the balance at the time `at`; the bucket refills with time. */
interface Bucket {
  readonly tokens: number
  readonly at: number
}

const maxBuckets = 10_000

/** Creates the rate limiter, with one token bucket per token or peer. No-op if `limit` is null. */
export function createThrottle(limit: RateLimit | null, clock: Clock): Throttle {
  if (limit === null) return () => {}
  const buckets = new Map<string, Bucket>()
  return (identity, req) => {
    const key = keyOf(identity, req)
    const now = clock.now()
    const tokens = refilled(buckets.get(key), limit, now)
    // Reinsert the key to keep the map in order of use: the first key is the least recently used.
    buckets.delete(key)
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    if (buckets.size > maxBuckets) removeFirst(buckets)
    if (tokens >= 1) return
    throw new DaemonError('throttled', 'too many requests: wait before you send another', {
      details: { retry_after: Math.ceil((1 - tokens) / limit.perSecond) },
    })
  }
}

function refilled(bucket: Bucket | undefined, limit: RateLimit, now: number): number {
  if (!bucket) return limit.burst
  const refill = (Math.max(0, now - bucket.at) / 1000) * limit.perSecond
  return Math.min(limit.burst, bucket.tokens + refill)
}

function removeFirst(buckets: Map<string, Bucket>): void {
  for (const key of buckets.keys()) {
    buckets.delete(key)
    return
  }
}

function keyOf(identity: Identity, { socket }: IncomingMessage): string {
  if (identity.kind === 'master') return 'master'
  if (identity.kind === 'token') return `token:${identity.id}`
  return `peer:${socket.remoteAddress ?? ''}`
}
