import type { Action, Risk } from './plan.ts'

export type ReadFile = (path: string) => string | undefined

/** The action that brings a file to `after`, whatever stands there now; none where it stands there already. */
export function put(
  readFile: ReadFile,
  path: string,
  after: string,
  reason: string,
  risk?: Risk,
): Action[] {
  const before = readFile(path)
  if (before === after) return []
  if (before === undefined) return [{ kind: 'create', path, after, reason, ...(risk && { risk }) }]
  return [{ kind: 'edit', path, before, after, reason, ...(risk && { risk }) }]
}

/** The action after which a file is not there; none where it is not there already. */
export function drop(readFile: ReadFile, path: string, reason: string): Action[] {
  const before = readFile(path)
  return before === undefined ? [] : [{ kind: 'delete', path, before, reason }]
}

/** One order for every reader of a plan. */
export function byPath(a: Action, b: Action): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
