import { type Disk, nodeDisk } from './disk.ts'
import { diskFailure, nextRunCompletes, nothingChanged } from './disk-failure.ts'
import { removeTree } from './remove.ts'
import { rollForward } from './roll-forward.ts'
import { stepsLeft } from './steps-left.ts'
import { workplace } from './workplace.ts'

/** What recovery found: nothing, an undecided change (dropped), or a decided one (completed). */
export type Recovery = 'clean' | 'discarded' | 'completed'

/**
 * Cleans up after a run that was killed. Call it first in every run that opens a project, inside
 * `withProjectLock`: without the lock it would take a living run's work for a dead one's. Throws
 * StrataError 'conflict' if the user changed a file the interrupted run still has to write, and
 * 'failure' if the operating system refuses; the next run tries again.
 */
export async function recoverProject(root: string, disk: Disk = nodeDisk): Promise<Recovery> {
  const { journal, staging } = workplace(root)
  if (lies(disk, journal)) {
    await completeInterrupted(disk, root)
    return 'completed'
  }
  if (!lies(disk, staging)) return 'clean'
  try {
    removeTree(disk, staging)
    return 'discarded'
  } catch (error) {
    throw diskFailure(error, nothingChanged)
  }
}

async function completeInterrupted(disk: Disk, root: string): Promise<void> {
  try {
    const { readJournal } = await import('./read-journal.ts')
    const text = Buffer.from(disk.read(workplace(root).journal)).toString()
    const interrupted = readJournal(text)
    rollForward(disk, root, interrupted, stepsLeft(disk, root, interrupted))
  } catch (error) {
    throw diskFailure(error, nextRunCompletes)
  }
}

function lies(disk: Disk, path: string): boolean {
  try {
    return disk.look(path) !== undefined
  } catch (error) {
    throw diskFailure(error, nothingChanged)
  }
}
