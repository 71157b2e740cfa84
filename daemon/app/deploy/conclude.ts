import { positionOf } from '../../domain/queue-order.ts'
import type { QueueEntry } from '../../domain/records.ts'
import type { Logger, Store } from '../../ports.ts'
import type { Execution } from './executor.ts'
import type { MemoryQueue } from './memory-queue.ts'
import type { Waiters } from './waiters.ts'

/** Returns the function that reports the outcome of a deploy to its waiting callers and to the memory queue. */
export function createConclude(deps: {
  store: Store
  logger: Logger
  waiters: Waiters
  memoryQueue: MemoryQueue
  settle: (entry: QueueEntry, isOk: boolean) => Promise<void>
}): (entry: QueueEntry, execution: Execution) => Promise<void> {
  const { store, logger, waiters, memoryQueue, settle } = deps

  /**
   * Moves waiting callers to the newer queue entry of the branch. Without one, answers `queued` if the wait is
   * open-ended.
   */
  async function informWaiters(entry: QueueEntry, isOpenEnded: boolean): Promise<void> {
    const entries = await store.queue.list()
    const successor = entries.find(
      ({ state, projectId, branch }) =>
        state === 'waiting' && projectId === entry.projectId && branch === entry.branch,
    )
    if (successor && successor.id !== entry.id) {
      memoryQueue.remove(entry.id)
      return waiters.move(entry.id, successor.id)
    }
    if (!isOpenEnded) return
    waiters.settle(entry.id, { kind: 'queued', position: positionOf(entries, entry.id) })
  }

  return async (entry, execution) => {
    const { id } = entry
    if (execution.kind !== 'blocked') memoryQueue.remove(id)
    switch (execution.kind) {
      case 'running': {
        const { environment, durationMs } = execution
        await settle(entry, true)
        return waiters.settle(id, { kind: 'running', environment, durationMs })
      }
      case 'failed': {
        const { error, environmentId } = execution
        await settle(entry, false)
        if (error.kind === 'internal') logger.error({ err: error, entryId: id }, 'a deploy failed')
        return waiters.settle(id, { kind: 'failed', reason: error.message, environmentId })
      }
      case 'refused':
        await store.queue.remove(id)
        await settle(entry, false)
        return waiters.fail(id, execution.error)
      case 'blocked':
        memoryQueue.add(entry, execution.memoryMb)
        return informWaiters(entry, true)
      case 'released':
        return informWaiters(entry, execution.why !== 'retry')
      case 'lost':
        logger.warn({ entryId: id }, 'another daemon took the lease of a deploy')
        return waiters.settle(id, { kind: 'queued', position: 0 })
    }
  }
}
