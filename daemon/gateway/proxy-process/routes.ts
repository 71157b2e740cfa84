import type { Route } from '../../ports.ts'
import type { RouteEntry } from './exchange.ts'

export interface RouteTable {
  find(hostname: string): RouteEntry | undefined
  set(route: Route): RouteEntry
  /** Removes the route of a host. Returns the removed route, if any. */
  remove(hostname: string): RouteEntry | undefined
  /** Replaces all routes. Returns the new routes and the removed routes. */
  replace(routes: readonly Route[]): { set: RouteEntry[]; removed: RouteEntry[] }
  /** Returns the routes of an environment: its host name and its own domains. */
  findEnvironment(environmentId: number): RouteEntry[]
  entries(): IterableIterator<RouteEntry>
  /** Returns the routes as the daemon sent them, for the snapshot. */
  list(): Route[]
}

/** Creates an in-memory table of routes by host name. Calls `onChange` after each change. */
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
    if (known.port !== route.port || known.host !== route.host) known.refusals = 0
    known.environmentId = route.environmentId
    known.projectId = route.projectId
    known.host = route.host
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
      const removed = [...byHost.keys()]
        .filter((hostname) => !kept.has(hostname))
        .flatMap((hostname) => remove(hostname) ?? [])
      const all = routes.map(set)
      onChange()
      return { set: all, removed }
    },
    findEnvironment(environmentId) {
      return [...byHost.values()].filter((entry) => entry.environmentId === environmentId)
    },
    entries: () => byHost.values(),
    list: () =>
      Array.from(byHost.values(), (entry) => ({
        hostname: entry.hostname,
        environmentId: entry.environmentId,
        projectId: entry.projectId,
        ...(entry.host !== undefined && { host: entry.host }),
        port: entry.port,
        wakeBudgetMs: entry.wakeBudgetMs,
      })),
  }
}

function newEntry(route: Route): RouteEntry {
  return {
    ...route,
    host: route.host,
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
