import type { Exchange } from './exchange.ts'
import { type Refusal, refusals } from './refuse.ts'
import type { RouteEntry } from './routes.ts'

export interface Holding {
  /** Keeps a request until its app runs, and asks for that once. */
  hold(exchange: Exchange): void
  /** The client has gone. */
  letGo(exchange: Exchange): void
  /** Something is new of the entry: sends on what waits for it, or asks. */
  changed(entry: RouteEntry): void
  /** The daemon says that it can't start the app. */
  failed(entry: RouteEntry): void
  /** Who is asked for wakes from now on; `null` while no daemon is there. */
  connect(ask: ((environmentId: number) => void) | null, entries: Iterable<RouteEntry>): void
}

export interface HoldingDeps {
  readonly limits: {
    readonly held: number
    readonly heldPerEnvironment: number
    readonly daemonAbsentMs: number
  }
  readonly go: (exchange: Exchange) => void
  readonly refuse: (exchange: Exchange, refusal: Refusal) => void
}

export function createHolding({ limits, go, refuse }: HoldingDeps): Holding {
  let held = 0
  let ask: ((environmentId: number) => void) | null = null

  function hold(exchange: Exchange): void {
    const { entry } = exchange
    if (held >= limits.held || entry.held.size >= limits.heldPerEnvironment) {
      refuse(exchange, refusals.fullHouse)
      return
    }
    const now = Date.now()
    if (exchange.heldSince === 0) {
      exchange.heldSince = now
      exchange.heldUntil =
        now + (ask ? entry.wakeBudgetMs : Math.min(entry.wakeBudgetMs, limits.daemonAbsentMs))
    }
    if (exchange.heldUntil <= now) {
      refuse(exchange, lateness())
      return
    }
    entry.held.add(exchange)
    held += 1
    wake(entry, now)
    if (entry.timer === null || exchange.heldUntil < entry.timerAt) arm(entry, now)
  }

  function wake(entry: RouteEntry, now: number): void {
    if (ask === null || entry.held.size === 0) return
    if (entry.askedAt !== null && now - entry.askedAt < entry.wakeBudgetMs) return
    entry.askedAt = now
    const delayMs = entry.refusals < 2 ? 0 : Math.min(1_000, 12 * 2 ** entry.refusals)
    if (delayMs === 0) ask(entry.environmentId)
    else setTimeout(() => entry.held.size > 0 && ask?.(entry.environmentId), delayMs)
  }

  /** One timer an entry. */
  function arm(entry: RouteEntry, now: number): void {
    if (entry.timer) clearTimeout(entry.timer)
    entry.timer = null
    if (entry.held.size === 0) return
    entry.timerAt = Number.POSITIVE_INFINITY
    for (const { heldUntil } of entry.held) entry.timerAt = Math.min(entry.timerAt, heldUntil)
    entry.timer = setTimeout(expire, Math.max(0, entry.timerAt - now), entry)
  }

  function expire(entry: RouteEntry): void {
    const now = Date.now()
    for (const exchange of entry.held) {
      if (exchange.heldUntil > now) continue
      take(exchange)
      refuse(exchange, lateness())
    }
    // Nobody else will say that the app is back: the next request finds out.
    if (ask === null) entry.isDown = false
    arm(entry, now)
  }

  function lateness(): Refusal {
    return ask ? refusals.lateWake : refusals.noDaemon
  }

  function take(exchange: Exchange): void {
    if (exchange.entry.held.delete(exchange)) held -= 1
  }

  function takeAll(entry: RouteEntry): Exchange[] {
    const all = [...entry.held]
    all.forEach(take)
    arm(entry, 0)
    return all
  }

  return {
    hold,
    letGo(exchange) {
      take(exchange)
      if (exchange.entry.held.size === 0) arm(exchange.entry, 0)
    },
    changed(entry) {
      if (entry.isGone) {
        for (const exchange of takeAll(entry)) refuse(exchange, refusals.unknownHost)
      } else if (entry.port !== null && !entry.isDown) {
        entry.askedAt = null
        takeAll(entry).forEach(go)
      } else wake(entry, Date.now())
    },
    failed(entry) {
      entry.askedAt = null
      for (const exchange of takeAll(entry)) refuse(exchange, refusals.noWake)
    },
    connect(to, entries) {
      ask = to
      const now = Date.now()
      for (const entry of entries) {
        entry.askedAt = null
        if (ask === null || entry.held.size === 0) continue
        for (const exchange of entry.held) {
          exchange.heldUntil = exchange.heldSince + entry.wakeBudgetMs
        }
        arm(entry, now)
        wake(entry, now)
      }
    },
  }
}
