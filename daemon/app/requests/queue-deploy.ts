import type { QueueEntry } from '../../domain/records.ts'
import type { Clock, Store } from '../../ports.ts'
import type { Actor } from '../ground/use-cases.ts'

/** Persists a request for a deploy. It replaces a waiting request of the branch. `commitSha` null means the branch head. */
export function queueDeploy(
  store: Store,
  clock: Clock,
  projectId: number,
  { branch, commitSha }: { branch: string; commitSha: string | null },
  { operator, requestId }: Actor,
): Promise<QueueEntry> {
  const requestedAt = clock.now()
  return store.queue.put({ projectId, branch, commitSha, operator, requestId, requestedAt })
}
