import type { Environment, EnvironmentState } from '../domain/records.ts'
import { createLiveRows, isLive, type LiveRows } from './live-rows.ts'

/** Told of every committed change of environments: counts those that routing must see, and keeps live rows up to date. */
export interface EnvironmentTracker {
  readonly rows: LiveRows
  changed(before: Before | undefined, after: Environment): void
  touched(accesses: ReadonlyMap<number, number>): void
  /** Some went without a word, with their project. */
  removed(): void
  /** Grows at every change of a live row's hostname, state, port or node. */
  version(): number
}

/** What routing goes by, as it was. */
export interface Before {
  readonly state: EnvironmentState
  readonly hostname: string
  readonly host_port: number | null
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

function isRoutingChanged(before: Before | undefined, after: Environment): boolean {
  if (!isLive(after.state)) return before !== undefined && isLive(before.state)
  return (
    before?.state !== after.state ||
    before.hostname !== after.hostname ||
    before.host_port !== after.hostPort ||
    before.node_id !== after.nodeId
  )
}
