import type { Clock, Logger, Store } from '../../ports.ts'
import type { Deploy } from './deploy.ts'
import { LeaseLost } from './faults.ts'

/** Lifetime of a lease. The owner renews the lease before it expires. */
export const leaseMs = 30_000

type LeasedEntry = Pick<Deploy, 'entry' | 'owner'>

/**
 * Renews the lease and runs `work` in one transaction. Throws LeaseLost and writes nothing if another daemon has it.
 */
export type LeaseTransaction = <T>(
  deploy: LeasedEntry,
  work: (tx: Store) => Promise<T>,
) => Promise<T>

export function createLeaseTransaction(deps: { store: Store; clock: Clock }): LeaseTransaction {
  const { store, clock } = deps
  return ({ entry, owner }, work) =>
    store.transaction(async (tx) => {
      const isHeld = await tx.queue.renew(entry.id, { owner, until: clock.now() + leaseMs })
      if (!isHeld) throw new LeaseLost()
      return work(tx)
    })
}

/** Renews a lease until `done` aborts. Aborts `deploy` with LeaseLost if another daemon has taken the lease. */
export async function keepLease(
  { store, clock, logger }: { store: Store; clock: Clock; logger: Logger },
  { entry, owner }: LeasedEntry,
  { deploy, done }: { deploy: AbortController; done: AbortSignal },
): Promise<void> {
  while (!done.aborted) {
    const isOver = await clock.wait(leaseMs / 3, done).then(
      () => false,
      () => true,
    )
    if (isOver) return
    const lease = { owner, until: clock.now() + leaseMs }
    const isHeld = await store.queue.renew(entry.id, lease).catch((err) => {
      logger.error({ err, entryId: entry.id }, 'could not renew a lease: trying again')
      return true
    })
    if (!isHeld && !done.aborted) deploy.abort(new LeaseLost())
  }
}
