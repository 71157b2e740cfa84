import { branchKey } from '../../domain/queue-order.ts'

/**
 * Returns the lock key of a branch. Deploys lock it to insert or fail their environment; pruning and branch removal
 * lock it to remove folders. Invariant: never nested with the lock of an environment.
 */
export function branchLock(branch: { projectId: number; branch: string }): string {
  return branchKey(branch)
}
