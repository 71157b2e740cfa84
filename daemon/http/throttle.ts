import type { IncomingMessage } from 'node:http'
import { DaemonError } from '../errors.ts'
import type { Clock } from '../ports.ts'
import type { Identity } from './auth.ts'

/** Throws DaemonError `throttled` when this credential, or for want of one this peer, has asked too much. */
export type Throttle = (identity: Identity, req: IncomingMessage) => void

export interface RateLimit {
  readonly perSecond: number
  /** How many may come at once after a rest. */
  readonly burst: number
}

/** A bucket holds what may still come; it fills with time. `tokens` is what was left at `at`. */
interface Bucket {
  readonly tokens: number
  readonly at: number
}

const maxBuckets = 10_000

/** One token bucket a credential or peer; none at all without a limit. */
export function createThrottle(limit: RateLimit | null, clock: Clock): Throttle {
  if (limit === null) return () => {}
  const buckets = new Map<string, Bucket>()
  return (identity, req) => {
    const key = keyOf(identity, req)
    const now = clock.now()
    const tokens = refilled(buckets.get(key), limit, now)
    // The map's order is that of use, so that the first is the one longest at rest.
    buckets.delete(key)
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    if (buckets.size > maxBuckets) forgetFirst(buckets)
    if (tokens >= 1) return
    throw new DaemonError('throttled', 'too many requests: wait before the next', {
      details: { retry_after: Math.ceil((1 - tokens) / limit.perSecond) },
    })
  }
}

function refilled(bucket: Bucket | undefined, limit: RateLimit, now: number): number {
  if (!bucket) return limit.burst
  const gained = (Math.max(0, now - bucket.at) / 1000) * limit.perSecond
  return Math.min(limit.burst, bucket.tokens + gained)
}

function forgetFirst(buckets: Map<string, Bucket>): void {
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
