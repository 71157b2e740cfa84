import type { Action, Risk } from './plan.ts'

export type ReadFile = (path: string) => string | undefined

/** Returns the action that gives a file the text `after`, or no action if the file already has this text. */
export function writeActions(
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

/** Returns the action that deletes a file, or no action if the file is missing. */
export function deleteActions(readFile: ReadFile, path: string, reason: string): Action[] {
  const before = readFile(path)
  return before === undefined ? [] : [{ kind: 'delete', path, before, reason }]
}

/** Sorts the actions of a plan by path, in the order of code units. */
export function byPath(a: Action, b: Action): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
