import type { QueueEntry } from '../../domain/records.ts'
import type { Store } from '../../ports.ts'
import type { Admission } from '../run/admission.ts'

/** Deploys that were found not to fit: how much each needs, so that it is tried again when there is room and not before. */
export interface RoomLine {
  join(entry: QueueEntry, memoryMb: number): void
  leave(entryId: number): void
  /** Those not to be tried now. */
  blocked(): readonly number[]
  /** What the oldest one before an entry waits for, in MiB. */
  aheadMb(entryId: number): number
  /** Memory became free. True when somebody waits for it. */
  changed(): boolean
  /** After a change: finds out who fits now. */
  refresh(): Promise<void>
}

interface Waiting {
  readonly entry: QueueEntry
  readonly memoryMb: number
  isReady: boolean
}

export function createRoomLine(deps: { store: Store; admission: Admission }): RoomLine {
  const { store, admission } = deps
  const waiting = new Map<number, Waiting>()
  let isStale = false

  /** Entries keep their place in line by their ids, which grow. */
  const inOrder = () => [...waiting.values()].sort((a, b) => a.entry.id - b.entry.id)

  function aheadMb(entryId: number): number {
    const oldest = inOrder()[0]
    return oldest && oldest.entry.id < entryId ? oldest.memoryMb : 0
  }

  return {
    join(entry, memoryMb) {
      waiting.set(entry.id, { entry, memoryMb, isReady: false })
      // Some may have become free since it was told that there is none.
      isStale = true
    },
    leave: (entryId) => void waiting.delete(entryId),
    blocked: () => [...waiting.values()].filter((one) => !one.isReady).map(({ entry }) => entry.id),
    aheadMb,
    changed() {
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
        const found = await admission.peek({ memoryMb, replaces, aheadMb: aheadMb(id) })
        // One that fits nowhere any more is to hear it from its deploy.
        one.isReady = found.kind !== 'wait'
      }
    },
  }
}
