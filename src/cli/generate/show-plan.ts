import { createHash } from 'node:crypto'
import { isBasePath } from '../../generator/plan/base.ts'
import type { Action, Plan } from '../../generator/plan/plan.ts'
import type { DatabaseReport } from './inspect/inspect-database.ts'

/** Formats a plan for `--json`: one entry per action, with SHA-256 hashes in hex. Files with secrets get no hash. */
export function planAsJson(plan: Plan, database?: DatabaseReport): string {
  const { root, actions, losses, overlapFaults = [], secondSteps, notes, warnings } = plan
  const entries = actions.map((action) => ({
    path: action.path,
    action: action.kind,
    before: 'before' in action && !isSecret(action) ? sha256(action.before) : null,
    after: 'after' in action && !isSecret(action) ? sha256(action.after) : null,
    reason: action.reason,
    risk: ('risk' in action && action.risk) || 'none',
  }))
  const deploy =
    overlapFaults.length > 0 ? { bothVersions: false, faults: overlapFaults } : undefined
  const result = { root, actions: entries, losses, deploy, secondSteps, notes, warnings, database }
  return JSON.stringify(result, null, 2)
}

/** Formats a plan as text: one line per file that changes or lacks a change, without the base texts in `.strata/`, and its effects on stored data. */
export function planAsLines(plan: Plan): string[] {
  const changed = plan.actions.filter(
    (action) => (action.kind !== 'skip' || action.risk !== undefined) && !isBasePath(action.path),
  )
  return [...changed.map(toLine), ...effectLines(plan)]
}

function effectLines({ losses = [], overlapFaults, warnings = [] }: Plan): string[] {
  return [
    ...(warnings.length > 0 ? ['', ...warnings] : []),
    ...(losses.length > 0
      ? ['', 'Stored data, when the app starts next:', ...indented(losses)]
      : []),
    ...(overlapFaults === undefined ? [] : ['', ...deployLines(overlapFaults)]),
  ]
}

function deployLines(faults: readonly string[]): string[] {
  if (faults.length === 0) {
    return [
      'During a deploy, the version before this change and the version after it can run at once.',
    ]
  }
  return [
    'During a deploy, the version before this change and the version after it cannot run at once:',
    ...indented(faults),
  ]
}

/** Returns the lines that ask for an installation, if the plan changes `package.json`. */
export function installSteps({ actions }: Plan): string[] {
  const changes = actions.some(({ path, kind }) => path === 'package.json' && kind === 'edit')
  return changes ? ['', 'package.json has other packages. Next:', '  npm install'] : []
}

/** Reminds of the second steps of earlier changes. */
export function secondStepLines({ secondSteps = [] }: Plan): string[] {
  if (secondSteps.length === 0) return []
  return [
    '',
    'After the deploy of this version, strata sync --second-step completes the change:',
    ...indented(secondSteps),
  ]
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

export function changesNothing({ actions }: Plan): boolean {
  return actions.every(({ kind }) => kind === 'skip')
}

function isSecret(action: Action): boolean {
  return 'secret' in action && action.secret === true
}

function toLine(action: Action): string {
  const note = 'risk' in action && action.risk === 'review' ? `  (${action.reason})` : ''
  return `  ${action.kind.padEnd(7)} ${action.path}${note}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
