import { StrataError } from '../errors.ts'
import type { Feature } from '../model/model.ts'
import { printModel, readModel } from '../spec/project-file.ts'
import { byPath, drop, put, type ReadFile } from './actions.ts'
import { basePath, projectPath } from './base.ts'
import { type Merge, mergeFile } from './merge-file.ts'
import { migrationTo, type StoreChange } from './migration.ts'
import type { Action, Plan } from './plan.ts'
import { removeFile } from './remove-file.ts'
import { type Scope, scopeOf, wholeProject } from './scope.ts'
import { changedSettings, type Secrets } from './settings.ts'
import { mergeWiring } from './wiring.ts'

/** `before` is the model that the project was written from last. */
export interface Change extends StoreChange {
  /** Absolute path of the project's root. */
  readonly root: string
  /** The text of `strata.json`. */
  readonly projectFile: string
  /** Those of `after` that are looked at although the model says the same of them. */
  readonly asked: readonly Feature[]
  readonly secrets: Secrets
  readonly resolve: Resolution
}

/** What a person said to conflicts beforehand. */
export interface Resolution {
  /** `--keep`: in a conflict the project's text stays. */
  readonly keep: boolean
  /** `--theirs <path>`: in a conflict at these paths the generated text is taken. */
  readonly theirs: readonly string[]
  /** `--allow-destructive`: stored data may be lost. */
  readonly allowDestructive: boolean
}

/**
 * Everything that changes between two models of a project; a plan of nothing but `skip` when the project says
 * it already. Throws StrataError 'conflict', naming every place, where a person's edits stand in the way or
 * stored data would be lost.
 */
export async function planChange(change: Change): Promise<Plan> {
  const scope = await scopeOf(change)
  const { root, readFile, resolve } = change
  const baseOf = await basesOf(change, scope)
  const outcomes = await Promise.all([
    ...scope.files.map(async ([path, next]) => {
      const versions = { base: baseOf(path), disk: readFile(path), next }
      const merge = (await mergeWiring(change, path, versions)) ?? mergeFile(versions)
      return { path, next, merge: settle(merge, path, resolve, next) }
    }),
    ...scope.gone.map((path) => {
      const merge = removeFile({ base: baseOf(path), disk: readFile(path) })
      return { path, next: undefined, merge: settle(merge, path, resolve, undefined) }
    }),
  ])
  refuseUnknownPaths(resolve.theirs, outcomes)
  refuseConflicts(outcomes)
  const actions = outcomes.flatMap(({ path, next, merge }) => [
    ...toActions(readFile, path, merge),
    ...(next === undefined
      ? drop(readFile, basePath(path), 'is no longer generated')
      : put(readFile, basePath(path), next, 'base of later merges')),
  ])
  actions.push(
    ...migrationTo(change, resolve.allowDestructive),
    ...changedSettings(change),
    ...projectFile(change),
  )
  return { root, actions: actions.sort(byPath) }
}

/** The texts that were emitted last: as kept, or where they are lost as the model before gives them. */
async function basesOf(
  { before, readFile }: Change,
  { files, gone }: Scope,
): Promise<(path: string) => string | undefined> {
  const paths = [...files.map(([path]) => path), ...gone]
  const kept = new Map(paths.map((path) => [path, readFile(basePath(path))]))
  const isLost = paths.some((path) => kept.get(path) === undefined && readFile(path) !== undefined)
  if (!isLost) return (path) => kept.get(path)
  const again = await wholeProject(before)
  return (path) => kept.get(path) ?? again.get(path)
}

/** A conflict as the person wants it settled, or as it is. `next` undefined: the file is to go. */
function settle(merge: Merge, path: string, resolve: Resolution, next: string | undefined): Merge {
  if (merge.kind !== 'conflict') return merge
  if (resolve.theirs.includes(path)) {
    return next === undefined
      ? { kind: 'remove', reason: 'removed, as asked' }
      : { kind: 'write', text: next, reason: 'generated, as asked' }
  }
  return resolve.keep ? { kind: 'keep', reason: 'kept, as asked' } : merge
}

function toActions(readFile: ReadFile, path: string, merge: Merge): readonly Action[] {
  if (merge.kind === 'write') return put(readFile, path, merge.text, merge.reason, merge.risk)
  if (merge.kind === 'remove') return drop(readFile, path, merge.reason)
  return [{ kind: 'skip', path, reason: merge.reason }]
}

type Outcomes = readonly { readonly path: string; readonly merge: Merge }[]

function refuseUnknownPaths(theirs: readonly string[], outcomes: Outcomes): void {
  const unknown = theirs.find((path) => !outcomes.some(({ path: known }) => known === path))
  if (unknown === undefined) return
  throw new StrataError('usage', `--theirs ${unknown}: this run generates no such file`)
}

function refuseConflicts(outcomes: Outcomes): void {
  const details = outcomes.flatMap(({ path, merge }) =>
    merge.kind === 'conflict' ? [`${path}: ${merge.reason}`, ...merge.hunks] : [],
  )
  if (details.length === 0) return
  throw new StrataError(
    'conflict',
    'your changes stand in the way, so nothing was changed: keep them with --keep, or take a generated file with --theirs <path>',
    { details },
  )
}

/** Left as it is written while it says the same. Its base is what the next run takes for the model before. */
function projectFile({ after, projectFile: text, readFile }: Change): readonly Action[] {
  const next = printModel(after, text)
  const isSame = next === printModel(readModel(text), text)
  return [
    ...(isSame ? [] : put(readFile, projectPath, next, 'the model')),
    ...put(readFile, basePath(projectPath), isSame ? text : next, 'base of later merges'),
  ]
}
