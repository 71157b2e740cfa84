import type { QueueEntry } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Admission } from '../run/admission.ts'

/** Deploys that wait for free memory, with the MiB that each deploy needs. */
export interface MemoryQueue {
  add(entry: QueueEntry, memoryMb: number): void
  remove(entryId: number): void
  /** Returns the queue entry ids of deploys that do not fit now. */
  blocked(): readonly number[]
  /** Returns the MiB that the oldest waiting deploy needs if it is older than `entryId`; otherwise 0. */
  aheadMb(entryId: number): number
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
  let isStale = false

  /** Queue entry ids increase, so that sorting by id gives the queue order. */
  const inOrder = () => [...waiting.values()].sort((a, b) => a.entry.id - b.entry.id)

  function aheadMb(entryId: number): number {
    const oldest = inOrder()[0]
    return oldest && oldest.entry.id < entryId ? oldest.memoryMb : 0
  }

  return {
    add(entry, memoryMb) {
      waiting.set(entry.id, { entry, memoryMb, isReady: false })
      // Memory may have been freed since admission rejected the deploy.
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
        // A deploy that no longer fits any node must run, so that it fails with the reason.
        one.isReady = placement.kind !== 'wait'
      }
    },
  }
}
