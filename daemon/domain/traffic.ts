/** Upper bounds of the latency buckets in milliseconds. A last bucket holds everything above. */
export const latencyBounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const

/** Requests of one app in a span of time. */
export interface Traffic {
  readonly requests: number
  /** Responses with a status of 500 or above, of the app or of the gateway. */
  readonly errors: number
  /** Sum of the measured latencies in milliseconds. */
  readonly sumMs: number
  /** Count of measured latencies in each bucket: one more than there are bounds. */
  readonly buckets: readonly number[]
}

export const noTraffic: Traffic = {
  requests: 0,
  errors: 0,
  sumMs: 0,
  buckets: new Array(latencyBounds.length + 1).fill(0),
}

/** Returns the index of the bucket of a latency. */
export function bucketOf(ms: number): number {
  const at = latencyBounds.findIndex((bound) => ms <= bound)
  return at === -1 ? latencyBounds.length : at
}

export function addTraffic(a: Traffic, b: Traffic): Traffic {
  return {
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    sumMs: a.sumMs + b.sumMs,
    buckets: a.buckets.map((count, at) => count + (b.buckets[at] ?? 0)),
  }
}

/**
 * Returns the latency in milliseconds below which the share `q` of the requests is, interpolated inside its bucket; null
 * without a measured request. The last bucket has no upper bound: it counts as its lower one.
 */
export function latencyQuantile({ buckets }: Traffic, q: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let before = 0
  for (const [at, count] of buckets.entries()) {
    if (count > 0 && before + count >= q * total) {
      const low = latencyBounds[at - 1] ?? 0
      const high = latencyBounds[at] ?? low
      return Math.round((low + ((q * total - before) / count) * (high - low)) * 10) / 10
    }
    before += count
  }
  return latencyBounds.at(-1) ?? null
}
