import { StrataError } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import { checkPlan } from './check-plan.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { diskFailure, nothingChanged } from './disk-failure.ts'
import type { Journal } from './journal.ts'
import { removeIfEmpty, removeTree, tryRemove } from './remove.ts'
import { rollForward } from './roll-forward.ts'
import { commit, stage } from './stage.ts'
import { temporaryPaths } from './temporary-paths.ts'

/**
 * Applies a plan to an existing project atomically; a plan of skips changes no byte. Call this inside
 * `withProjectLock`, after `recoverProject`. Throws StrataError 'usage' for an unsafe path, 'conflict' if
 * the disk changed since planning, and 'failure' for an error of the operating system. The message says
 * whether nothing was changed or the next run completes the change.
 */
export function applyPlan(plan: Plan, disk: Disk = nodeDisk): void {
  if (plan.actions.every((action) => action.kind === 'skip')) return
  const journal = stageAndCommit(disk, plan)
  rollForward(disk, plan.root, journal, journal.steps)
}

function stageAndCommit(disk: Disk, plan: Plan): Journal {
  try {
    checkPlan(disk, plan)
    refuseUnfinishedRun(disk, plan.root)
  } catch (error) {
    throw diskFailure(error, nothingChanged)
  }
  try {
    const journal = stage(disk, plan)
    // Checks again, because an editor may have saved a file during staging. A save in the fraction of a
    // millisecond before the rename is lost: no file system compares and renames in one step.
    checkPlan(disk, plan)
    commit(disk, plan.root, journal)
    return journal
  } catch (error) {
    tryRemove(() => discardChange(disk, plan.root))
    throw diskFailure(error, nothingChanged)
  }
}

/** Throws StrataError 'conflict' if an interrupted run left a staging folder or a journal. */
export function refuseUnfinishedRun(disk: Disk, root: string): void {
  const { staging, journal } = temporaryPaths(root)
  if (disk.stat(staging) === undefined && disk.stat(journal) === undefined) return
  throw new StrataError(
    'conflict',
    `an interrupted run left its work in .strata, so ${nothingChanged}: run strata again`,
  )
}

/** Deletes the journal first: a network file system may report failure for a rename that succeeded. */
function discardChange(disk: Disk, root: string): void {
  const { home, journal, staging } = temporaryPaths(root)
  removeTree(disk, journal)
  removeTree(disk, staging)
  removeIfEmpty(disk, home)
}
