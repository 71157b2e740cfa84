import { StrataError } from '../errors.ts'
import type { Disk } from './disk.ts'
import { type Journal, type Step, sha256 } from './journal.ts'
import { createLocator, type Located } from './safe-path.ts'
import { temporaryPaths } from './temporary-paths.ts'

/**
 * Returns the steps that an interrupted run did not execute. Only the disk determines the result, so that
 * recovery itself can be killed any number of times. Throws StrataError 'conflict' for a symlink and for a
 * file that has neither the old nor the new text, and 'usage' for an unsafe path.
 */
export function remainingSteps(disk: Disk, root: string, journal: Journal): Step[] {
  const locate = createLocator(disk, root)
  return journal.steps.filter((step) => {
    const now = hashAt(disk, locate(step.path))
    return step.kind === 'delete'
      ? isDeletePending(step, now)
      : isMovePending(disk, `${temporaryPaths(root).staging}/${step.staged}`, step, now)
  })
}

type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

function isDeletePending(step: StepOf<'delete'>, now: string | undefined): boolean {
  if (now === undefined) return false
  if (now === step.before) return true
  throw changed(step.path, 'delete it, or move it away, and run strata again')
}

function isMovePending(disk: Disk, staged: string, step: StepOf<'move'>, now: string | undefined) {
  if (disk.stat(staged)?.kind !== 'file') {
    // Moved before the kill. Later edits of the user are kept.
    if (now === undefined || now !== step.before) return false
    throw lost(step.path)
  }
  if (now !== undefined && now === step.after) return false
  if (now !== undefined && now !== step.before) {
    throw changed(
      step.path,
      'move your version away, run strata again, and put your changes back ' +
        `(the new text is .strata/staging/${step.staged})`,
    )
  }
  if (step.after !== undefined && sha256(disk.read(staged)) !== step.after) throw lost(step.path)
  return true
}

/** Returns the hash of a file, or the kind of any other entry, which equals no hash. */
function hashAt(disk: Disk, { full, entry }: Located): string | undefined {
  if (entry === undefined) return undefined
  return entry.kind === 'file' ? sha256(disk.read(full)) : entry.kind
}

function changed(path: string, remedy: string): StrataError {
  return new StrataError(
    'conflict',
    `${path} was changed while an interrupted strata run was waiting to be completed: ${remedy}`,
  )
}

function lost(path: string): StrataError {
  return new StrataError(
    'conflict',
    `an interrupted run cannot be completed, because its new text of ${path} is missing or damaged: ` +
      'delete .strata/journal.json and .strata/staging, and compare the project with your last commit',
  )
}
