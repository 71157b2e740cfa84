import type { Clock, Store } from '../../ports.ts'
import { LeaseLost } from './faults.ts'
import type { Progress } from './progress.ts'

/** How long a lease lasts that nobody renews. */
export const leaseMs = 30_000

/** Does `work` in one transaction if the deploy still holds its lease; throws LeaseLost, having written nothing, if not. */
export type Fenced = <T>(
  lease: Pick<Progress, 'entry' | 'owner'>,
  work: (tx: Store) => Promise<T>,
) => Promise<T>

export function createFenced({ store, clock }: { store: Store; clock: Clock }): Fenced {
  return ({ entry, owner }, work) =>
    store.transaction(async (tx) => {
      const isHeld = await tx.queue.renew(entry.id, { owner, until: clock.now() + leaseMs })
      if (!isHeld) throw new LeaseLost('the lease of the deploy was lost')
      return work(tx)
    })
}
