import type { Environment, EnvironmentState } from '../domain/records.ts'
import { isLive } from '../domain/states.ts'
import { createLiveRows, type LiveRows } from './live-rows.ts'

/**
 * Observes every committed change of environments. Counts changes that affect routing and updates the cache of live
 * rows.
 */
export interface EnvironmentTracker {
  readonly rows: LiveRows
  changed(before: RoutingColumns | undefined, after: Environment): void
  touched(accesses: ReadonlyMap<number, number>): void
  /** Call after a project was removed: the cascade has removed its environments. */
  removed(): void
  /** Cache version, which grows with every change of a live environment's host name, state, port or node. */
  version(): number
}

/** Previous values of the columns that routing depends on. */
export interface RoutingColumns {
  readonly state: EnvironmentState
  readonly hostname: string
  readonly host_port: number | null
  readonly host_address: string | null
  readonly node_id: number
}

export function createEnvironmentTracker(): EnvironmentTracker {
  const rows = createLiveRows()
  let version = 1
  return {
    rows,
    changed(before, after) {
      rows.put(after)
      if (isRoutingChanged(before, after)) version += 1
    },
    touched(accesses) {
      for (const [id, at] of accesses) {
        const row = rows.get(id)
        if (row && row.lastAccessedAt < at) rows.put({ ...row, lastAccessedAt: at })
      }
    },
    removed() {
      rows.clear()
      version += 1
    },
    version: () => version,
  }
}

function isRoutingChanged(before: RoutingColumns | undefined, after: Environment): boolean {
  if (!isLive(after.state)) return before !== undefined && isLive(before.state)
  return (
    before?.state !== after.state ||
    before.hostname !== after.hostname ||
    before.host_port !== after.hostPort ||
    before.host_address !== after.hostAddress ||
    before.node_id !== after.nodeId
  )
}
