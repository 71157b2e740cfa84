import type { Action, Plan } from '../plan/plan.ts'
import type { Disk } from './disk.ts'
import { type Journal, type Step, sha256 } from './journal.ts'
import { openHome, temporaryPaths } from './temporary-paths.ts'

/**
 * Writes every new text of a plan into `.strata/staging` and returns the journal.
 *
 * Only a power cut can lose a written file, and a flush costs 5 ms per file on a busy disk. Therefore only
 * two kinds of text are flushed: texts that replace a user's file, and secrets, which have no hash to detect
 * damage. Recovery detects any other damaged text by its hash and reports it instead of moving it.
 */
export function stage(disk: Disk, plan: Plan): Journal {
  const { staging } = openHome(disk, plan.root)
  disk.makeFolder(staging, 0o700)
  const steps: Step[] = []
  for (const [index, action] of plan.actions.entries()) {
    if (action.kind === 'skip') continue
    const step = stepOf(action, String(index))
    steps.push(step)
    if (action.kind === 'delete') continue
    const mode = modeOf(disk, plan.root, action)
    const durable = action.kind === 'edit' ? isUserFile(action.path) : action.secret === true
    disk.write(`${staging}/${index}`, action.after, { durable, mode })
  }
  return { version: 1, steps }
}

/** Commits a journal by one rename: before it the change can be discarded, after it the change completes. */
export function commit(disk: Disk, root: string, journal: Journal): void {
  const place = temporaryPaths(root)
  disk.write(place.draft, `${JSON.stringify(journal)}\n`, { mode: 0o600, durable: true })
  disk.syncFolder(place.staging)
  disk.rename(place.draft, place.journal)
}

function stepOf(action: Exclude<Action, { kind: 'skip' }>, staged: string): Step {
  const { path } = action
  switch (action.kind) {
    case 'create': {
      const after = action.secret ? undefined : sha256(action.after)
      return { kind: 'move', path, staged, after }
    }
    case 'edit': {
      const before = sha256(action.before)
      const after = action.secret ? undefined : sha256(action.after)
      return { kind: 'move', path, staged, before, after }
    }
    case 'delete':
      return { kind: 'delete', path, before: sha256(action.before) }
  }
}

/** Returns false for files in .strata, which the generator can write again. */
function isUserFile(path: string): boolean {
  return !path.startsWith('.strata/')
}

/** Returns the mode of the staged file: an edited file keeps its mode, only the owner can read a secret. */
function modeOf(disk: Disk, root: string, action: Exclude<Action, { kind: 'skip' | 'delete' }>) {
  if (action.kind === 'edit') return disk.stat(`${root}/${action.path}`)?.mode
  return action.secret ? 0o600 : undefined
}
