import type { Route } from '../../ports.ts'
import type { Exchange } from './exchange.ts'

/** A host and what is known of its app; changed in place, so that a request that waits sees the newest. */
export interface RouteEntry {
  readonly hostname: string
  environmentId: number
  port: number | null
  wakeBudgetMs: number
  /** The app refused connections at `port`: as good as asleep. */
  isDown: boolean
  /** How often in a row; what the next wake waits by. */
  refusals: number
  /** No longer routed. */
  isRemoved: boolean
  /** In the order in which they came. */
  readonly held: Set<Exchange>
  /** When a wake was asked for that has no answer yet. */
  wakeAskedAt: number | null
  /** For the first of the held ones whose time is over. */
  expiryTimer: NodeJS.Timeout | null
  expiresAt: number
  /** Requests open now, and when the last one came. */
  open: number
  accessedAt: number
}

export interface RouteTable {
  find(hostname: string): RouteEntry | undefined
  set(route: Route): RouteEntry
  /** The entry that is gone, if there was one. */
  remove(hostname: string): RouteEntry | undefined
  /** Entries that were set and those that are gone. */
  replace(routes: readonly Route[]): { set: RouteEntry[]; gone: RouteEntry[] }
  findEnvironment(environmentId: number): RouteEntry | undefined
  entries(): IterableIterator<RouteEntry>
  /** As they were told: what the snapshot keeps. */
  list(): Route[]
}

/** Hosts by name, in memory. `changed` is called after each change. */
export function createRouteTable(onChange: () => void): RouteTable {
  const byHost = new Map<string, RouteEntry>()

  function set(route: Route): RouteEntry {
    const known = byHost.get(route.hostname)
    if (known === undefined) {
      const entry = newEntry(route)
      byHost.set(route.hostname, entry)
      return entry
    }
    if (known.environmentId !== route.environmentId) known.wakeAskedAt = null
    if (known.port !== route.port) known.refusals = 0
    known.environmentId = route.environmentId
    known.port = route.port
    known.wakeBudgetMs = route.wakeBudgetMs
    known.isDown = false
    return known
  }

  function remove(hostname: string): RouteEntry | undefined {
    const entry = byHost.get(hostname)
    if (entry === undefined) return undefined
    byHost.delete(hostname)
    entry.isRemoved = true
    return entry
  }

  return {
    find: (hostname) => byHost.get(hostname),
    set(route) {
      const entry = set(route)
      onChange()
      return entry
    },
    remove(hostname) {
      const entry = remove(hostname)
      if (entry) onChange()
      return entry
    },
    replace(routes) {
      const kept = new Set(routes.map(({ hostname }) => hostname))
      const gone = [...byHost.keys()]
        .filter((hostname) => !kept.has(hostname))
        .flatMap((hostname) => remove(hostname) ?? [])
      const all = routes.map(set)
      onChange()
      return { set: all, gone }
    },
    findEnvironment(environmentId) {
      for (const entry of byHost.values()) {
        if (entry.environmentId === environmentId) return entry
      }
      return undefined
    },
    entries: () => byHost.values(),
    list: () =>
      Array.from(byHost.values(), ({ hostname, environmentId, port, wakeBudgetMs }) => ({
        hostname,
        environmentId,
        port,
        wakeBudgetMs,
      })),
  }
}

function newEntry(route: Route): RouteEntry {
  return {
    ...route,
    isDown: false,
    refusals: 0,
    isRemoved: false,
    held: new Set(),
    wakeAskedAt: null,
    expiryTimer: null,
    expiresAt: 0,
    open: 0,
    accessedAt: 0,
  }
}
