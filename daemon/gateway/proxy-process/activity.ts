import type { RouteEntry } from './routes.ts'

export interface Activity {
  /** A request came. */
  enter(entry: RouteEntry): void
  leave(entry: RouteEntry): void
  /** Where accesses are sent to from now on; `null` while no daemon is there. */
  connect(send: Send | null): void
  /** The daemon has them. */
  taken(id: number): void
}

type Send = (id: number, accesses: (readonly [environmentId: number, time: number])[]) => void

/**
 * The last request of each environment, told at most once in `everyMs`, and again while a request is open. What the
 * daemon has not confirmed is kept: one number an environment, for at most `most` of them.
 */
export function createActivity({ everyMs = 1_000, most = 100_000 } = {}): Activity {
  const open = new Set<RouteEntry>()
  let fresh = new Map<number, number>()
  let sent: { id: number; accesses: Map<number, number> } | null = null
  let send: Send | null = null
  let lastId = 0
  let toldAt = 0
  let timer: NodeJS.Timeout | null = null

  function note(entry: RouteEntry, now: number): void {
    entry.accessedAt = now
    if (fresh.size < most || fresh.has(entry.environmentId)) fresh.set(entry.environmentId, now)
  }

  function arm(now: number): void {
    if (timer === null) timer = setTimeout(tell, Math.max(0, toldAt + everyMs - now))
  }

  function tell(): void {
    timer = null
    const now = Date.now()
    toldAt = now
    for (const entry of open) note(entry, now)
    if (send !== null && sent === null && fresh.size > 0) {
      lastId += 1
      sent = { id: lastId, accesses: fresh }
      fresh = new Map()
      send(lastId, [...sent.accesses])
    }
    // Without a daemon the times of the requests that end are enough.
    if (open.size > 0 || (send !== null && fresh.size > 0)) arm(now)
  }

  return {
    enter(entry) {
      const now = Date.now()
      if (entry.open === 0) open.add(entry)
      entry.open += 1
      note(entry, now)
      arm(now)
    },
    leave(entry) {
      entry.open -= 1
      if (entry.open > 0) return
      open.delete(entry)
      note(entry, Date.now())
    },
    connect(to) {
      send = to
      if (sent !== null) {
        for (const [id, time] of sent.accesses) {
          if ((fresh.get(id) ?? 0) < time) fresh.set(id, time)
        }
        sent = null
      }
      if (send !== null && fresh.size > 0) arm(Date.now())
    },
    taken(id) {
      if (sent?.id === id) sent = null
    },
  }
}
