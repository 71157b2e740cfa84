import { DaemonError } from '../../errors.ts'
import type { Store } from '../../ports.ts'
import type { Waiters } from '../deploy/waiters.ts'
import type { Worker } from '../deploy/worker.ts'
import type { UseCases } from '../ground/use-cases.ts'

export function createQueue(deps: {
  store: Store
  waiters: Waiters
  worker: Worker
}): UseCases['queue'] {
  const { store, waiters, worker } = deps
  return {
    list: (projectIds) => store.queue.list(projectIds),

    async remove(id, actor) {
      await store.transaction(async (tx) => {
        const entry = await tx.queue.find(id)
        if (!entry) throw new DaemonError('not-found', `no queue entry ${id}`)
        if (entry.state === 'running') {
          throw new DaemonError('conflict', `the deploy of ${entry.branch} is running already`)
        }
        await tx.queue.remove(id)
      })
      const message = `${actor.operator} removed the deploy from the queue`
      waiters.fail(id, new DaemonError('conflict', message))
      worker.forgetMemoryNeed(id)
      worker.memoryFreed()
    },
  }
}
