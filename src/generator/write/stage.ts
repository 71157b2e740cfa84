import type { Action, Plan } from '../plan/plan.ts'
import type { Disk } from './disk.ts'
import { type Journal, type Step, sha256 } from './journal.ts'
import { openHome, workplace } from './workplace.ts'

/**
 * Writes every new text of a plan under `.strata/staging` and returns the steps that are left.
 *
 * A kill loses nothing that was written, so flushing to the disk is about power cuts alone, and on a
 * busy disk it costs 5 ms a file. Flushed is what could cost a user something: the texts that
 * replace theirs, and secrets, whose damage no hash would show. A new text lost with the power is
 * found by its hash when the run is recovered, and reported, not moved.
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
    const durable = action.kind === 'edit' ? isUsers(action.path) : action.secret === true
    disk.write(`${staging}/${index}`, action.after, { durable, mode })
  }
  return { version: 1, steps }
}

/** Makes a journal count. Before the rename in here the project is the old one, after it the new. */
export function commit(disk: Disk, root: string, journal: Journal): void {
  const place = workplace(root)
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

/** Under .strata lies what the generator can write again. */
function isUsers(path: string): boolean {
  return !path.startsWith('.strata/')
}

/** An edited file keeps its mode; a secret is nobody else's from its first byte. */
function modeOf(disk: Disk, root: string, action: Exclude<Action, { kind: 'skip' | 'delete' }>) {
  if (action.kind === 'edit') return disk.look(`${root}/${action.path}`)?.mode
  return action.secret ? 0o600 : undefined
}
