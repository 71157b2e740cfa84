import { withDeadline } from '../async/with-deadline.ts'
import type { Clock, ProxyAnswer, ProxyWatch } from '../ports.ts'

/** The proxies that poll `/proxy/config`, and the version of the routes that each of them has. */
export interface ProxyPolls extends ProxyWatch {
  /** Call when a reader has received the configuration of a version. `reader` tells one reader from another. */
  note(reader: string, version: number): void
  /** Resolves at the next poll of a proxy. Never resolves after `signal` aborts. */
  nextPoll(signal: AbortSignal): Promise<void>
}

interface Reader {
  readonly lastAt: number
  readonly version: number
  /** True after two reads within `silentAfterMs`: a person reads once. */
  readonly isProxy: boolean
}

/** A proxy without a poll for this time has ended. Traefik polls every 5 seconds by default. */
const silentAfterMs = 60_000
/** Limit of the wait if the setting names none. */
const defaultWaitMs = 10_000
const maxReaders = 100

export function createProxyPolls({
  version,
  clock,
  waitMs,
}: {
  /** Returns the version of the routes, which grows with each change. */
  version: () => number
  clock: Pick<Clock, 'monotonic' | 'wait'>
  /** Limit of a wait; 0: none. Absent: only proxies that poll are waited for. */
  waitMs: number | undefined
}): ProxyPolls {
  const readers = new Map<string, Reader>()
  const listeners = new Set<() => void>()
  let lastPollAt: number | undefined
  let pollCount = 0

  function polling(): Reader[] {
    const since = clock.monotonic() - silentAfterMs
    return [...readers.values()].filter(({ isProxy, lastAt }) => isProxy && lastAt >= since)
  }

  /** Resolves when a poll makes the condition true. Never resolves after `signal` aborts. */
  function until(isTrue: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!isTrue()) return
        listeners.delete(check)
        resolve()
      }
      listeners.add(check)
      signal.addEventListener('abort', () => listeners.delete(check), { once: true })
      check()
    })
  }

  function allHave(target: number): boolean {
    const proxies = polling()
    return proxies.length > 0 && proxies.every((proxy) => proxy.version >= target)
  }

  return {
    note(reader, received) {
      const lastAt = clock.monotonic()
      const previous = readers.get(reader)
      const isSecond = previous !== undefined && lastAt - previous.lastAt <= silentAfterMs
      const isProxy = isSecond || previous?.isProxy === true
      // Deleted first, so that the oldest reader is the first of the map.
      readers.delete(reader)
      readers.set(reader, { lastAt, version: received, isProxy })
      for (const oldest of readers.keys()) {
        if (readers.size <= maxReaders) break
        readers.delete(oldest)
      }
      if (isProxy) {
        lastPollAt = lastAt
        pollCount += 1
      }
      for (const listener of [...listeners]) listener()
    },

    read: () => ({
      proxies: polling().length,
      silentMs: lastPollAt === undefined ? undefined : clock.monotonic() - lastPollAt,
    }),

    nextPoll(signal) {
      const since = pollCount
      return until(() => pollCount > since, signal)
    },

    async acknowledged(signal): Promise<ProxyAnswer> {
      const isExpected = waitMs !== undefined && waitMs > 0
      if (waitMs === 0 || (!isExpected && lastPollAt === undefined)) return { kind: 'none' }
      if (!isExpected && lastPollAt !== undefined && polling().length === 0) {
        return { kind: 'silent', silentMs: clock.monotonic() - lastPollAt }
      }
      const limitMs = waitMs ?? defaultWaitMs
      const done = new AbortController()
      try {
        const target = version()
        const work = until(() => allHave(target), done.signal)
        const result = await withDeadline(work, { clock, signal, ms: limitMs })
        return result === 'late' ? { kind: 'late', waitMs: limitMs } : { kind: 'acknowledged' }
      } finally {
        done.abort()
      }
    },
  }
}
