import type { QueueEntry } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Admission } from '../run/admission.ts'

/** Deploys waiting for memory, with the MiB each needs. They are blocked until enough memory is free. */
export interface MemoryQueue {
  add(entry: QueueEntry, memoryMb: number): void
  remove(entryId: number): void
  /** Ids of the entries that do not fit now. */
  blocked(): readonly number[]
  /** MiB that the oldest waiting entry needs, if it is older than this one; else 0. */
  aheadMb(entryId: number): number
  /** Call when memory was freed. Returns whether any entry waits for memory. */
  invalidate(): boolean
  /** Checks after `invalidate` or `add` which entries fit now. */
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
  let isStale = false

  /** Ids grow, so their order is the order of the queue. */
  const inOrder = () => [...waiting.values()].sort((a, b) => a.entry.id - b.entry.id)

  function aheadMb(entryId: number): number {
    const oldest = inOrder()[0]
    return oldest && oldest.entry.id < entryId ? oldest.memoryMb : 0
  }

  return {
    add(entry, memoryMb) {
      waiting.set(entry.id, { entry, memoryMb, isReady: false })
      // Memory may have been freed since the check.
      isStale = true
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
      for (const one of inOrder()) {
        const { projectId, branch, id } = one.entry
        const replaces = await store.environments.findLive(projectId, branch)
        const { memoryMb } = one
        const placement = await admission.peek({ memoryMb, replaces, aheadMb: aheadMb(id) })
        // An entry that fits no node any more must run, so that its deploy fails with the reason.
        one.isReady = placement.kind !== 'wait'
      }
    },
  }
}
