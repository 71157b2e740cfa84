import { bucketOf, noTraffic } from '../../domain/traffic.ts'
import type { TrafficCounts } from '../protocol.ts'
import type { Exchange } from './exchange.ts'

/** Counts requests of each environment, and reports the counts to the daemon. */
export interface TrafficReporter {
  /** Call at the end of a request. */
  count(exchange: Exchange): void
  /** Sets the daemon's send function; null while no daemon is connected. */
  connect(send: ((counts: TrafficCounts[]) => void) | null): void
}

interface Counter {
  requests: number
  errors: number
  sumMs: number
  readonly buckets: number[]
}

/**
 * Reports at most once per `intervalMs`. Keeps the counts of at most `maxEnvironments` environments while no daemon is
 * connected. A connection that breaks during a report loses the counts of that report.
 */
export function createTrafficReporter({
  intervalMs = 2_000,
  maxEnvironments = 10_000,
} = {}): TrafficReporter {
  let counters = new Map<number, Counter>()
  let send: ((counts: TrafficCounts[]) => void) | null = null
  let timer: NodeJS.Timeout | null = null

  function counterOf(environmentId: number): Counter | undefined {
    const known = counters.get(environmentId)
    if (known || counters.size >= maxEnvironments) return known
    const counter = { requests: 0, errors: 0, sumMs: 0, buckets: [...noTraffic.buckets] }
    counters.set(environmentId, counter)
    return counter
  }

  function report(): void {
    timer = null
    if (send === null || counters.size === 0) return
    send(
      [...counters].map(([id, { requests, errors, sumMs, buckets }]) => [
        id,
        requests,
        errors,
        Math.round(sumMs),
        buckets,
      ]),
    )
    counters = new Map()
  }

  function schedule(): void {
    if (timer === null && send !== null) timer = setTimeout(report, intervalMs).unref()
  }

  return {
    count({ entry, response, earlyData, startedAt, answeredAt }) {
      const counter = counterOf(entry.environmentId)
      if (!counter) return
      counter.requests += 1
      if (response.statusCode >= 500) counter.errors += 1
      // An upgraded connection has no latency, and neither has a request that the client gave up before an answer.
      const end = answeredAt || (response.writableFinished ? performance.now() : 0)
      if (earlyData === null && end > 0) {
        const ms = end - startedAt
        const bucket = bucketOf(ms)
        counter.sumMs += ms
        counter.buckets[bucket] = (counter.buckets[bucket] ?? 0) + 1
      }
      schedule()
    },
    connect(to) {
      send = to
      if (send !== null && counters.size > 0) schedule()
    },
  }
}
