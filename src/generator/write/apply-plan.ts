import { StrataError } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import { checkPlan } from './check-plan.ts'
import { type Disk, nodeDisk } from './disk.ts'
import { diskFailure, nothingChanged } from './disk-failure.ts'
import type { Journal } from './journal.ts'
import { removeIfEmpty, removeTree, tryRemove } from './remove.ts'
import { rollForward } from './roll-forward.ts'
import { commit, stage } from './stage.ts'
import { workplace } from './workplace.ts'

/**
 * Applies a plan to an existing project, all of it or nothing; a plan of skips touches no byte. Call
 * it inside `withProjectLock`, after `recoverProject`. Throws StrataError 'usage' for an unsafe path,
 * 'conflict' if the disk is not what the plan was made from, and 'failure' if the operating system
 * refuses; the message says whether nothing was changed or the next run completes the change.
 */
export function applyPlan(plan: Plan, disk: Disk = nodeDisk): void {
  if (plan.actions.every((action) => action.kind === 'skip')) return
  const journal = decide(disk, plan)
  rollForward(disk, plan.root, journal, journal.steps)
}

function decide(disk: Disk, plan: Plan): Journal {
  try {
    checkPlan(disk, plan)
    refuseUnfinishedRun(disk, plan.root)
  } catch (error) {
    throw diskFailure(error, nothingChanged)
  }
  try {
    const journal = stage(disk, plan)
    // Once more, for the file that an editor saved while the new texts were staged. What it saves in
    // the fraction of a millisecond from here to the rename is lost: no file system can compare and
    // rename in one step.
    checkPlan(disk, plan)
    commit(disk, plan.root, journal)
    return journal
  } catch (error) {
    tryRemove(() => undecide(disk, plan.root))
    throw diskFailure(error, nothingChanged)
  }
}

/** Over another run's staging this run would decide for both. Throws StrataError 'conflict'. */
export function refuseUnfinishedRun(disk: Disk, root: string): void {
  const { staging, journal } = workplace(root)
  if (disk.look(staging) === undefined && disk.look(journal) === undefined) return
  throw new StrataError(
    'conflict',
    `an interrupted run left its work in .strata, so ${nothingChanged}: run strata again`,
  )
}

/** The journal goes first: a network file system can report a rename as failed that was done. */
function undecide(disk: Disk, root: string): void {
  const { home, journal, staging } = workplace(root)
  removeTree(disk, journal)
  removeTree(disk, staging)
  removeIfEmpty(disk, home)
}
