import type { Exchange, RouteEntry } from './exchange.ts'
import { type Refusal, refusals } from './refuse.ts'
import { createShares } from './shares.ts'

/** Requests held until their app is awake. */
export interface Holding {
  /** Holds a request and requests a wake of its app, once for all requests of the app. */
  hold(exchange: Exchange): void
  /** Removes a request whose client has disconnected. */
  release(exchange: Exchange): void
  /** Forwards the held requests of a route if its app runs; otherwise requests a wake. */
  handleRouteChange(entry: RouteEntry): void
  /** Refuses the held requests of a route whose app the daemon can't start. */
  handleWakeFailure(entry: RouteEntry): void
  /** Sets the daemon's wake function; null while no daemon is connected. */
  connect(ask: ((environmentId: number) => void) | null, entries: Iterable<RouteEntry>): void
}

export interface HoldingDeps {
  readonly limits: {
    readonly held: number
    readonly heldPerEnvironment: number
    readonly daemonAbsentMs: number
  }
  readonly send: (exchange: Exchange) => void
  readonly refuse: (exchange: Exchange, refusal: Refusal) => void
}

export function createHolding({ limits, send, refuse }: HoldingDeps): Holding {
  const shares = createShares(limits.held)
  let sendWake: ((environmentId: number) => void) | null = null

  function hold(exchange: Exchange): void {
    const { entry } = exchange
    const displaced = shares.displacedBy(entry.projectId)
    if (displaced === null || entry.held.size >= limits.heldPerEnvironment) {
      refuse(exchange, refusals.tooManyHeld)
      return
    }
    const now = Date.now()
    if (exchange.heldSince === 0) {
      exchange.heldSince = now
      exchange.heldUntil =
        now + (sendWake ? entry.wakeBudgetMs : Math.min(entry.wakeBudgetMs, limits.daemonAbsentMs))
    }
    if (exchange.heldUntil <= now) {
      refuse(exchange, timeoutRefusal())
      return
    }
    if (displaced) {
      remove(displaced)
      refuse(displaced, refusals.tooManyHeld)
    }
    entry.held.add(exchange)
    shares.add(exchange)
    requestWake(entry, now)
    if (entry.expiryTimer === null || exchange.heldUntil < entry.expiresAt)
      scheduleExpiry(entry, now)
  }

  function requestWake(entry: RouteEntry, now: number): void {
    if (sendWake === null || entry.held.size === 0) return
    if (entry.wakeAskedAt !== null && now - entry.wakeAskedAt < entry.wakeBudgetMs) return
    entry.wakeAskedAt = now
    const delayMs = entry.refusals < 2 ? 0 : Math.min(1_000, 12 * 2 ** entry.refusals)
    if (delayMs === 0) sendWake(entry.environmentId)
    else setTimeout(() => entry.held.size > 0 && sendWake?.(entry.environmentId), delayMs)
  }

  /** Sets the route's single timer to the earliest expiry of its held requests. */
  function scheduleExpiry(entry: RouteEntry, now: number): void {
    if (entry.expiryTimer) clearTimeout(entry.expiryTimer)
    entry.expiryTimer = null
    if (entry.held.size === 0) return
    entry.expiresAt = Number.POSITIVE_INFINITY
    for (const { heldUntil } of entry.held) entry.expiresAt = Math.min(entry.expiresAt, heldUntil)
    entry.expiryTimer = setTimeout(expire, Math.max(0, entry.expiresAt - now), entry)
  }

  function expire(entry: RouteEntry): void {
    const now = Date.now()
    for (const exchange of entry.held) {
      if (exchange.heldUntil > now) continue
      remove(exchange)
      refuse(exchange, timeoutRefusal())
    }
    // Without a daemon, no route update reports that the app has recovered: let the next request try to connect.
    if (sendWake === null) entry.isDown = false
    scheduleExpiry(entry, now)
  }

  function timeoutRefusal(): Refusal {
    return sendWake ? refusals.lateWake : refusals.noDaemon
  }

  function remove(exchange: Exchange): void {
    if (exchange.entry.held.delete(exchange)) shares.remove(exchange)
  }

  function removeAll(entry: RouteEntry): Exchange[] {
    const all = [...entry.held]
    all.forEach(remove)
    scheduleExpiry(entry, 0)
    return all
  }

  return {
    hold,
    release(exchange) {
      remove(exchange)
      if (exchange.entry.held.size === 0) scheduleExpiry(exchange.entry, 0)
    },
    handleRouteChange(entry) {
      if (entry.isRemoved) {
        for (const exchange of removeAll(entry)) refuse(exchange, refusals.unknownHost)
      } else if (entry.port !== null && !entry.isDown) {
        entry.wakeAskedAt = null
        removeAll(entry).forEach(send)
      } else requestWake(entry, Date.now())
    },
    handleWakeFailure(entry) {
      entry.wakeAskedAt = null
      for (const exchange of removeAll(entry)) refuse(exchange, refusals.noWake)
    },
    connect(to, entries) {
      sendWake = to
      const now = Date.now()
      for (const entry of entries) {
        entry.wakeAskedAt = null
        if (sendWake === null || entry.held.size === 0) continue
        for (const exchange of entry.held) {
          exchange.heldUntil = exchange.heldSince + entry.wakeBudgetMs
        }
        scheduleExpiry(entry, now)
        requestWake(entry, now)
      }
    },
  }
}
