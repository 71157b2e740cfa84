import { turns } from '../../domain/queue-order.ts'
import type { QueueEntry } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Admission } from '../run/admission.ts'

/** Deploys that wait for free memory, with the MiB that each deploy needs. The projects take turns. */
export interface MemoryQueue {
  add(entry: QueueEntry, memoryMb: number): void
  /** Call when a deploy has reserved its memory: the next turn is another project's. */
  admitted(entry: QueueEntry): void
  remove(entryId: number): void
  /** Returns the queue entry ids of deploys that do not fit now. */
  blocked(): readonly number[]
  /** Returns the MiB that the next waiting deploy needs if its turn is before the turn of `entry`; otherwise 0. */
  aheadMb(entry: QueueEntry): number
  /** Call after memory was freed. Returns true if any deploy waits for memory. */
  invalidate(): boolean
  /** Recomputes, after `invalidate` or `add`, the deploys that fit now. */
  refresh(): Promise<void>
}

interface Waiting {
  readonly entry: QueueEntry
  readonly memoryMb: number
  isReady: boolean
}

export function createMemoryQueue(deps: { store: Store; admission: Admission }): MemoryQueue {
  const { store, admission } = deps
  const waiting = new Map<number, Waiting>()
  /** Sequence number of each project's latest admission. */
  const admittedAt = new Map<number, number>()
  let admissions = 0
  let isStale = false

  function aheadMb(entry: QueueEntry): number {
    const others = [...waiting.values()].filter((one) => one.entry.id !== entry.id)
    const [first] = turns([entry, ...others.map((one) => one.entry)], admittedAt)
    if (first === undefined || first.id === entry.id) return 0
    return waiting.get(first.id)?.memoryMb ?? 0
  }

  return {
    add(entry, memoryMb) {
      waiting.set(entry.id, { entry, memoryMb, isReady: false })
      // Memory may have been freed since admission rejected the deploy.
      isStale = true
    },
    admitted(entry) {
      waiting.delete(entry.id)
      admissions += 1
      admittedAt.set(entry.projectId, admissions)
      isStale = waiting.size > 0
    },
    remove: (entryId) => void waiting.delete(entryId),
    blocked: () => [...waiting.values()].filter((one) => !one.isReady).map(({ entry }) => entry.id),
    aheadMb,
    invalidate() {
      isStale = waiting.size > 0
      return isStale
    },
    async refresh() {
      if (!isStale) return
      isStale = false
      for (const one of [...waiting.values()]) {
        const { projectId, branch } = one.entry
        const replaces = await store.environments.findLive(projectId, branch)
        const { memoryMb } = one
        const placement = await admission.peek({ memoryMb, replaces, aheadMb: aheadMb(one.entry) })
        // A deploy that no longer fits any node must run, so that it fails with the reason.
        one.isReady = placement.kind !== 'wait'
      }
    },
  }
}
