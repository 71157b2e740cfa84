import type { QueueEntry } from '../../domain/records.ts'
import { DaemonError } from '../../errors.ts'
import type { Clock, Store } from '../../ports.ts'
import type { AuditActor } from '../ground/audit-row.ts'

/** The daemon reads the whole queue before each deploy, so one project may not fill the queue. */
const maxWaitingOfProject = 1_000

/**
 * Persists a request for a deploy. It replaces a waiting request of the branch. `commitSha` null means the branch head.
 * Throws `throttled` if the project has 1,000 waiting deploys of other branches.
 */
export async function queueDeploy(
  store: Pick<Store, 'queue'>,
  clock: Clock,
  projectId: number,
  { branch, commitSha }: { branch: string; commitSha: string | null },
  { operator, requestId }: AuditActor,
): Promise<QueueEntry> {
  const waiting = await store.queue.countWaiting(projectId, branch)
  if (waiting >= maxWaitingOfProject) {
    throw new DaemonError(
      'throttled',
      `${waiting} deploys of the project wait already: try again when the queue is shorter`,
      { details: { retry_after: 60 } },
    )
  }
  const requestedAt = clock.now()
  return store.queue.put({ projectId, branch, commitSha, operator, requestId, requestedAt })
}
