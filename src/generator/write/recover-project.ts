import { type Disk, nodeDisk } from './disk.ts'
import { diskFailure, nextRunCompletes, nothingChanged } from './disk-failure.ts'
import { remainingSteps } from './remaining-steps.ts'
import { removeTree } from './remove.ts'
import { rollForward } from './roll-forward.ts'
import { temporaryPaths } from './temporary-paths.ts'

/** The result of recovery: no leftovers, an uncommitted change (discarded) or a committed one (completed). */
export type Recovery = 'clean' | 'discarded' | 'completed'

/**
 * Cleans up after a killed run. Call this first in every run that opens a project, inside
 * `withProjectLock`: without the lock, it would remove the work of a living run. Throws StrataError
 * 'conflict' if the user changed a file that the interrupted run must still write, and 'failure' for an
 * error of the operating system; the next run tries again.
 */
export async function recoverProject(root: string, disk: Disk = nodeDisk): Promise<Recovery> {
  const { journal, staging } = temporaryPaths(root)
  if (pathExists(disk, journal)) {
    await completeInterruptedRun(disk, root)
    return 'completed'
  }
  if (!pathExists(disk, staging)) return 'clean'
  try {
    removeTree(disk, staging)
    return 'discarded'
  } catch (error) {
    throw diskFailure(error, nothingChanged)
  }
}

async function completeInterruptedRun(disk: Disk, root: string): Promise<void> {
  try {
    const { readJournal } = await import('./read-journal.ts')
    const text = Buffer.from(disk.read(temporaryPaths(root).journal)).toString()
    const interrupted = readJournal(text)
    rollForward(disk, root, interrupted, remainingSteps(disk, root, interrupted))
  } catch (error) {
    throw diskFailure(error, nextRunCompletes)
  }
}

function pathExists(disk: Disk, path: string): boolean {
  try {
    return disk.stat(path) !== undefined
  } catch (error) {
    throw diskFailure(error, nothingChanged)
  }
}
