import type { RouteEntry } from './exchange.ts'

/** Reports each environment's last access time to the daemon. */
export interface AccessReporter {
  /** Call at the start of a request. */
  enter(entry: RouteEntry): void
  leave(entry: RouteEntry): void
  /** Sets the daemon's send function; null while no daemon is connected. */
  connect(send: Send | null): void
  /** Call at the daemon's confirmation of report `id`. */
  confirm(id: number): void
}

type Send = (id: number, accesses: (readonly [environmentId: number, time: number])[]) => void

/**
 * Creates a reporter that reports at most once per `intervalMs`, and repeatedly while a request is open. Keeps
 * unconfirmed times, for at most `maxEnvironments` environments.
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
    // While no daemon is connected, `leave` records the times.
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
