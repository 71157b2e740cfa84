import { isDeepStrictEqual } from 'node:util'
import { StrataError } from '../errors.ts'
import { type Decision, decidePlaces, type Place } from '../merge/decide-places.ts'
import { withDeployStore } from '../merge/deploy-store.ts'
import { inStyle } from '../merge/in-style.ts'
import type { Merge, Versions } from '../merge/merge.ts'
import { mergeFile } from '../merge/merge-file.ts'
import type { Feature, Model } from '../model/model.ts'
import { plainTexts } from '../render/render.ts'
import { printModel, readModel, readStoredModel } from '../spec/project-file.ts'
import { storeOf } from '../stores/stores.ts'
import { byPath, deleteActions, type ReadFile, writeActions } from './actions.ts'
import { type AffectedFiles, affectedFiles, wholeProject, wholeScope } from './affected-files.ts'
import { baseFolder, basePath, isBasePath, projectPath } from './base.ts'
import { versionOf, writeVersion } from './emitted-version.ts'
import { changedEnvFile, type Secrets } from './env-file.ts'
import { keepsSchema, keptSchema } from './kept-migrations.ts'
import { type MigrationPlan, migrationTo, type StoreChange } from './migration.ts'
import { ownStyle, scriptStyleOf, styleWarnings } from './own-style.ts'
import type { Action, Plan } from './plan.ts'
import { removeFile } from './remove-file.ts'
import { secondSteps } from './retained.ts'
import { mergeWiring } from './wiring.ts'

/** A change of a project. The project's files were last emitted from the model `before`. */
export interface Change extends StoreChange {
  /** Absolute path of the project's root. */
  readonly root: string
  /** The text of `strata.json`. */
  readonly projectFile: string
  /** Features of `after` whose files are emitted even if the feature did not change. */
  readonly requested: readonly Feature[]
  /** True to emit every file of the project. */
  readonly isWhole?: boolean
  /** The model that the migrations create, if it is not `before`. */
  readonly migrated?: Model
  /** Returns the text and the base of a file on another branch, which is merged too. */
  readonly other?: (path: string) => { base: string | undefined; disk: string } | undefined
  readonly secrets: Secrets
  readonly resolve: Resolution
}

/** The options that resolve conflicts. */
export interface Resolution {
  /** `--keep`: a conflict keeps the project's text. */
  readonly keep: boolean
  /** `--theirs <path>`: a conflict at one of these paths takes the generated text. */
  readonly theirs: readonly string[]
  /** Asks about each place of a conflict. */
  readonly decide?: (place: Place) => Promise<Decision>
  /** `--allow-destructive`: stored data may be lost. */
  readonly allowDestructive: boolean
}

/**
 * Plans the change of a project from one model to another. If nothing changes, every action is `skip`. Throws
 * StrataError 'conflict' with every place if a person's edits conflict or stored data would be lost.
 */
export async function planChange(change: Change): Promise<Plan> {
  versionOf(change.readFile)
  const isOlder = change.isWhole || isFromEarlierVersion(change)
  const scope = await (isOlder ? wholeScope(change, emittedFiles(change)) : affectedFiles(change))
  const { root, readFile, resolve } = change
  const baseOf = await basesOf(change, scope)
  const project = await ownStyle(readFile)
  const versionsOf = (path: string, next: string): Versions => {
    const style = scriptStyleOf(project, path)
    const kept = keptSchema(change.before, change.after, path, readFile)
    return { base: baseOf(path), disk: readFile(path), ...kept, next, style }
  }
  const merged = await Promise.all([
    ...scope.files.map(async ([path, next]) => {
      const versions = versionsOf(path, next)
      const wired = isOlder ? undefined : await mergeWiring(change, path, versions)
      const first = wired ?? (await mergeFile(path, versions))
      const merge = await mergeOther(path, first, versions.disk, change.other?.(path))
      return { path, next, merge: resolveConflict(merge, path, resolve, next) }
    }),
    ...scope.removed.map(async (path) => {
      const merge: Merge = keepsSchema(change.before, change.after, path)
        ? { kind: 'remove', reason: `${change.after.database} has no schema file` }
        : await removeFile(path, { base: baseOf(path), disk: readFile(path) })
      return { path, next: undefined, merge: resolveConflict(merge, path, resolve, undefined) }
    }),
  ])
  const outcomes = await decideAll(merged, resolve.decide, ({ path }) => readFile(path))
  refuseUnknownPaths(resolve.theirs, outcomes)
  refuseConflicts(outcomes)
  const styled = await Promise.all(
    outcomes.map(async ({ path, next, merge }) => ({
      path,
      next,
      merge: next === undefined ? merge : await inStyle(path, versionsOf(path, next), merge),
    })),
  )
  const actions = styled.flatMap(({ path, next, merge }) => [
    ...toActions(readFile, path, merge),
    ...(next === undefined
      ? deleteActions(readFile, basePath(path), 'is no longer generated')
      : writeActions(readFile, basePath(path), next, 'base of later merges')),
  ])
  const migrated = { ...change, before: change.migrated ?? change.before }
  const migration = await migrationTo(migrated, resolve.allowDestructive)
  actions.push(...migration.actions, ...changedEnvFile(change), ...projectFile(change))
  actions.push(...writeVersion(readFile))
  const warnings = styleWarnings(project, createsScripts(actions))
  const effects = { ...effectsOf(migration), ...(warnings.length > 0 && { warnings }) }
  return { root, actions: actions.sort(byPath), ...effects }
}

function createsScripts(actions: readonly Action[]): boolean {
  return actions.some(
    ({ kind, path }) => kind === 'create' && path.endsWith('.ts') && !isBasePath(path),
  )
}

function effectsOf({ losses, overlapFaults, retained, stored }: MigrationPlan): Partial<Plan> {
  const later = secondSteps(retained)
  return {
    stored,
    ...(losses.length > 0 && { losses }),
    ...(overlapFaults && { overlapFaults }),
    ...(later.length > 0 && { secondSteps: later }),
  }
}

/** Returns true if a text that strata emitted is not the text that it emits now for the same model. */
export function isFromEarlierVersion({
  before,
  readFile,
}: Pick<Change, 'before' | 'readFile'>): boolean {
  return [...plainTexts(before)].some(([path, text]) => {
    const base = readFile(basePath(path))
    return base !== undefined && base !== text
  })
}

function emittedFiles({ listFiles }: Change): readonly string[] {
  return listFiles(baseFolder)
    .map((path) => path.slice(baseFolder.length + 1))
    .filter((path) => path !== projectPath)
}

/** Returns the lookup of base texts. Renders a missing base copy again from the previous model. */
async function basesOf(
  { before, readFile }: Change,
  { files, removed }: AffectedFiles,
): Promise<(path: string) => string | undefined> {
  const paths = [...files.map(([path]) => path), ...removed]
  const stored = new Map(paths.map((path) => [path, readFile(basePath(path))]))
  const isMissing = paths.some(
    (path) => stored.get(path) === undefined && readFile(path) !== undefined,
  )
  if (!isMissing) return (path) => stored.get(path)
  const rendered = await wholeProject(before)
  return (path) => stored.get(path) ?? rendered.get(path)
}

/** Asks about the places of all conflicts, one after another. Throws StrataError 'conflict' if a place is left for later. */
export async function decideAll<Each extends Outcome>(
  outcomes: readonly Each[],
  decide: Resolution['decide'],
  diskOf: (outcome: Each) => string | undefined,
): Promise<readonly Each[]> {
  if (decide === undefined) return outcomes
  const decided: Each[] = []
  for (const outcome of outcomes) {
    const { path, next, merge } = outcome
    const disk = diskOf(outcome)
    const [mine, theirs] =
      merge.kind === 'conflict' ? [merge.mine ?? disk, merge.theirs ?? next] : []
    if (mine === undefined || theirs === undefined) {
      decided.push(outcome)
      continue
    }
    const text = await decidePlaces(path, { mine, theirs }, decide)
    if (text === undefined)
      throw new StrataError('conflict', `${path} is not decided, so nothing was changed`)
    const reason = 'decided by you'
    decided.push({ ...outcome, merge: { kind: 'write', text, reason, risk: 'review' } })
  }
  return decided
}

/** Merges the text of another branch into the outcome of the first merge. */
async function mergeOther(
  path: string,
  first: Merge,
  disk: string | undefined,
  other: { base: string | undefined; disk: string } | undefined,
): Promise<Merge> {
  const text = first.kind === 'write' ? first.text : first.kind === 'keep' ? disk : undefined
  if (other === undefined || text === undefined) return first
  const second = await mergeFile(path, { base: other.base, disk: text, next: other.disk })
  if (second.kind === 'keep') return first
  return second.kind === 'write' ? { ...second, reason: 'merged from both branches' } : second
}

/** Applies `--keep` and `--theirs` to a conflict. `next` is undefined if the file is no longer generated. */
export function resolveConflict(
  merge: Merge,
  path: string,
  resolve: Resolution,
  next: string | undefined,
): Merge {
  if (merge.kind !== 'conflict') return merge
  if (resolve.theirs.includes(path)) {
    return next === undefined
      ? { kind: 'remove', reason: 'removed because of --theirs' }
      : { kind: 'write', text: merge.theirs ?? next, reason: 'generated because of --theirs' }
  }
  if (!resolve.keep) return merge
  const reason = 'kept because of --keep'
  return merge.mine === undefined
    ? { kind: 'keep', reason, risk: 'review' }
    : { kind: 'write', text: merge.mine, reason, risk: 'review' }
}

function toActions(readFile: ReadFile, path: string, merge: Merge): readonly Action[] {
  if (merge.kind === 'write')
    return writeActions(readFile, path, merge.text, merge.reason, merge.risk)
  if (merge.kind === 'remove') return deleteActions(readFile, path, merge.reason)
  const risk = merge.kind === 'keep' ? merge.risk : undefined
  return [{ kind: 'skip', path, reason: merge.reason, ...(risk && { risk }) }]
}

interface Outcome {
  readonly path: string
  readonly next: string | undefined
  readonly merge: Merge
}

type Outcomes = readonly Pick<Outcome, 'path' | 'merge'>[]

export function refuseUnknownPaths(theirs: readonly string[], outcomes: Outcomes): void {
  const unknown = theirs.find((path) => !outcomes.some(({ path: known }) => known === path))
  if (unknown === undefined) return
  throw new StrataError('usage', `--theirs ${unknown}: this run does not generate that file`)
}

export function refuseConflicts(outcomes: Outcomes): void {
  const details = outcomes.flatMap(({ path, merge }) =>
    merge.kind === 'conflict' ? [`${path}: ${merge.reason}`, ...merge.hunks] : [],
  )
  if (details.length === 0) return
  throw new StrataError(
    'conflict',
    'your edits conflict with generated files, so nothing was changed: keep your edits with --keep, or take a generated file with --theirs <path>; strata resolve before the command asks about each place',
    { details },
  )
}

/**
 * Writes `strata.json` only if its meaning changes, so that a person's layout survives. The next run reads its
 * base copy as the previous model, so the copy is written only if its meaning differs, too.
 */
export function projectFile({ after, projectFile: text, readFile }: Change): readonly Action[] {
  const before = readModel(text)
  const printed = printModel(after, withDeployStore(text, storeOf(before), storeOf(after)))
  const isSame = hasSameMeaning(before, after)
  // A checkout with CRLF keeps CRLF.
  const next = text.includes('\r\n') ? printed.replace(/\r?\n/g, '\r\n') : printed
  const base = readFile(basePath(projectPath))
  const isKnown = isSame && base !== undefined && hasSameMeaning(readStoredModel(base), after)
  return [
    ...(isSame ? [] : writeActions(readFile, projectPath, next, 'the model')),
    ...(isKnown
      ? []
      : writeActions(
          readFile,
          basePath(projectPath),
          isSame ? text : next,
          'base of later merges',
        )),
  ]
}

/** Returns true if the models differ at most in the order of their features. */
function hasSameMeaning(one: Model, other: Model): boolean {
  return isDeepStrictEqual(sorted(one), sorted(other))
}

function sorted({ formerUser: _, ...model }: Model): Model {
  const byName = (a: Feature, b: Feature) => (a.entity.pascal < b.entity.pascal ? -1 : 1)
  return { ...model, features: model.features.toSorted(byName) }
}
