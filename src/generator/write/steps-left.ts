import { StrataError } from '../errors.ts'
import type { Disk } from './disk.ts'
import { type Journal, type Step, sha256 } from './journal.ts'
import { createLocator, type Located } from './safe-path.ts'
import { workplace } from './workplace.ts'

/**
 * What an interrupted run has left to do. Nothing decides here but the disk, so that any number of
 * kills during recovery changes nothing. Throws StrataError 'conflict' if a file is neither what it
 * was nor what it is to be, and for a symlink in the way; 'usage' for a path that is not safe.
 */
export function stepsLeft(disk: Disk, root: string, journal: Journal): Step[] {
  const locate = createLocator(disk, root)
  return journal.steps.filter((step) => {
    const now = hashAt(disk, locate(step.path))
    return step.kind === 'delete'
      ? isDeleteLeft(step, now)
      : isMoveLeft(disk, `${workplace(root).staging}/${step.staged}`, step, now)
  })
}

type Of<K extends Step['kind']> = Extract<Step, { kind: K }>

function isDeleteLeft(step: Of<'delete'>, now: string | undefined): boolean {
  if (now === undefined) return false
  if (now === step.before) return true
  throw changed(step.path, 'delete it, or move it away, and run strata again')
}

function isMoveLeft(disk: Disk, staged: string, step: Of<'move'>, now: string | undefined) {
  if (disk.look(staged)?.kind !== 'file') {
    // Moved before the kill; what the user made of the file since then is theirs.
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

/** A folder or device in the place of a file hashes like nothing a plan ever wrote. */
function hashAt(disk: Disk, { full, entry }: Located): string | undefined {
  if (entry === undefined) return undefined
  return entry.kind === 'file' ? sha256(disk.read(full)) : entry.kind
}

function changed(path: string, wayOn: string): StrataError {
  return new StrataError(
    'conflict',
    `${path} was changed while an interrupted strata run was waiting to be completed: ${wayOn}`,
  )
}

function lost(path: string): StrataError {
  return new StrataError(
    'conflict',
    `an interrupted run cannot be completed, because its new text of ${path} is missing or damaged: ` +
      'delete .strata/journal.json and .strata/staging, and compare the project with your last commit',
  )
}
