import { branchKey } from '../../domain/queue-order.ts'

/**
 * Lock key of a branch. A deploy holds the lock while it inserts or fails its row. Pruning and the removal of a
 * branch hold it while they remove folders. Invariant: never nested with the lock of an environment.
 */
export function branchLock(branch: { projectId: number; branch: string }): string {
  return branchKey(branch)
}
