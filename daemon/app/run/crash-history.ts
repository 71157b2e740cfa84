import type { LogKey } from '../../domain/process-names.ts'
import { stableRunMs } from '../../domain/retry.ts'
import type { Clock } from '../../ports.ts'

/** Counts the consecutive crashes of each process, in memory. */
export interface CrashHistory {
  /** Counts a crash and returns the number of consecutive crashes. A run of `stableRunMs` resets the count. */
  addCrash(key: LogKey): number
  addStart(key: LogKey): void
  forget(key: LogKey): void
}

export function createCrashHistory({ clock }: { clock: Pick<Clock, 'now'> }): CrashHistory {
  const histories = new Map<LogKey, { crashes: number; startedAt: number }>()
  return {
    addCrash(id) {
      const { crashes = 0, startedAt = 0 } = histories.get(id) ?? {}
      const wasStable = startedAt > 0 && clock.now() - startedAt >= stableRunMs
      const inRow = (wasStable ? 0 : crashes) + 1
      histories.set(id, { crashes: inRow, startedAt: 0 })
      return inRow
    },
    addStart(id) {
      histories.set(id, { crashes: histories.get(id)?.crashes ?? 0, startedAt: clock.now() })
    },
    forget: (id) => void histories.delete(id),
  }
}
