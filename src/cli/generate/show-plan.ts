import { createHash } from 'node:crypto'
import { isBasePath } from '../../generator/plan/base.ts'
import type { Action, Plan } from '../../generator/plan/plan.ts'

/** Formats a plan for `--json`: one entry per action, with SHA-256 hashes in hex. Files with secrets get no hash. */
export function planAsJson({ root, actions, notes }: Plan): string {
  const entries = actions.map((action) => ({
    path: action.path,
    action: action.kind,
    before: 'before' in action && !isSecret(action) ? sha256(action.before) : null,
    after: 'after' in action && !isSecret(action) ? sha256(action.after) : null,
    reason: action.reason,
    risk: ('risk' in action && action.risk) || 'none',
  }))
  return JSON.stringify({ root, actions: entries, ...(notes && { notes }) }, null, 2)
}

/** Formats a plan as text: one line per changed file, without the base texts in `.strata/`. */
export function planAsLines({ actions }: Plan): string[] {
  return actions.filter(({ path, kind }) => kind !== 'skip' && !isBasePath(path)).map(toLine)
}

export function changesNothing({ actions }: Plan): boolean {
  return actions.every(({ kind }) => kind === 'skip')
}

function isSecret(action: Action): boolean {
  return 'secret' in action && action.secret === true
}

function toLine(action: Action): string {
  const note = 'risk' in action && action.risk ? `  (${action.reason})` : ''
  return `  ${action.kind.padEnd(7)} ${action.path}${note}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
