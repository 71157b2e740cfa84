import type { RouteEntry } from './routes.ts'

export interface AccessReporter {
  /** A request came. */
  enter(entry: RouteEntry): void
  leave(entry: RouteEntry): void
  /** Where accesses are sent to from now on; `null` while no daemon is there. */
  connect(send: Send | null): void
  /** The daemon has them. */
  confirm(id: number): void
}

type Send = (id: number, accesses: (readonly [environmentId: number, time: number])[]) => void

/**
 * The last request of each environment, told at most once in `everyMs`, and again while a request is open. What the
 * daemon has not confirmed is kept: one number an environment, for at most `most` of them.
 */
export function createAccessReporter({
  intervalMs = 1_000,
  maxEnvironments = 100_000,
} = {}): AccessReporter {
  const open = new Set<RouteEntry>()
  let unsent = new Map<number, number>()
  let sent: { id: number; accesses: Map<number, number> } | null = null
  let send: Send | null = null
  let lastId = 0
  let reportedAt = 0
  let timer: NodeJS.Timeout | null = null

  function record(entry: RouteEntry, now: number): void {
    entry.accessedAt = now
    if (unsent.size < maxEnvironments || unsent.has(entry.environmentId))
      unsent.set(entry.environmentId, now)
  }

  function schedule(now: number): void {
    if (timer === null) timer = setTimeout(report, Math.max(0, reportedAt + intervalMs - now))
  }

  function report(): void {
    timer = null
    const now = Date.now()
    reportedAt = now
    for (const entry of open) record(entry, now)
    if (send !== null && sent === null && unsent.size > 0) {
      lastId += 1
      sent = { id: lastId, accesses: unsent }
      unsent = new Map()
      send(lastId, [...sent.accesses])
    }
    // Without a daemon the times of the requests that end are enough.
    if (open.size > 0 || (send !== null && unsent.size > 0)) schedule(now)
  }

  return {
    enter(entry) {
      const now = Date.now()
      if (entry.open === 0) open.add(entry)
      entry.open += 1
      record(entry, now)
      schedule(now)
    },
    leave(entry) {
      entry.open -= 1
      if (entry.open > 0) return
      open.delete(entry)
      record(entry, Date.now())
    },
    connect(to) {
      send = to
      if (sent !== null) {
        for (const [id, time] of sent.accesses) {
          if ((unsent.get(id) ?? 0) < time) unsent.set(id, time)
        }
        sent = null
      }
      if (send !== null && unsent.size > 0) schedule(Date.now())
    },
    confirm(id) {
      if (sent?.id === id) sent = null
    },
  }
}
