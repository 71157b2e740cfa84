import type { Merge, Versions } from '../merge/merge.ts'
import { mergeFile } from '../merge/merge-file.ts'
import type { Feature, Model } from '../model/model.ts'
import { guardedRepositories, hasGuard } from '../render/access-view.ts'
import { renderWiring, wiringFiles } from '../render/render.ts'
import { storeOf } from '../stores/stores.ts'
import { needsOf } from '../wire/feature-imports.ts'
import type { WireResult } from '../wire/wire.ts'
import { changedFeatures, hasOtherSettings, missingFeatures } from './differences.ts'

interface Change {
  readonly before: Model
  readonly after: Model
}

/**
 * Merges a wiring file that a person edited. Adds new features by syntax tree, because renames and reformatting
 * would confuse a merge of lines, and removes features in this way if the lines conflict. Returns `undefined` if a merge
 * of lines is right.
 */
export async function mergeWiring(
  change: Change,
  path: string,
  versions: Versions,
): Promise<Merge | undefined> {
  const isWiring = wiringFiles.some((wiring) => wiring === path)
  if (!isWiring || !isEdited(versions)) return undefined
  if (versions.disk === undefined) return deleted(path)
  const { before, after } = change
  if (hasOtherSettings(before, after)) return undefined
  const merge = await mergeAdded(change, path, versions)
  if (missingFeatures(after, before).length === 0) return merge
  const first = merge ?? (await mergeFile(path, versions))
  const left = leftNames(change, path, first, versions.disk)
  if (first.kind !== 'conflict' && left.length === 0) return first
  const unwired = await withoutRemoved(change, path, versions)
  if (unwired !== undefined || first.kind === 'conflict') return unwired ?? first
  const reason = `still uses ${left.join(' and ')}: remove the code around it first`
  return { kind: 'conflict', reason, hunks: [] }
}

/** Lists the imports of removed features that a merged file still uses. */
function leftNames(
  { before, after }: Change,
  path: string,
  merge: Merge,
  disk: string,
): readonly string[] {
  const text = merge.kind === 'write' ? merge.text : disk
  return missingFeatures(after, before)
    .flatMap((feature) => needsOf(feature, storeOf(before).adapter)[path] ?? [])
    .filter(({ name }) => new RegExp(`\\b${name}\\b`).test(text))
    .map(({ name }) => name)
}

/** Adds new features by syntax tree. Returns `undefined` if there are none. */
async function mergeAdded(
  change: Change,
  path: string,
  versions: Versions,
): Promise<Merge | undefined> {
  const added = missingFeatures(change.before, change.after)
  if (added.length === 0) return undefined
  const rest = await mergeRest(change, path, versions)
  if (rest.kind === 'conflict') return rest
  return wire(change, path, rest.kind === 'write' ? rest.text : (versions.disk ?? ''), added)
}

/** Removes features by syntax tree, and merges all other changes. Returns `undefined` if a use would remain. */
async function withoutRemoved(
  { before, after }: Change,
  path: string,
  versions: Versions,
): Promise<Merge | undefined> {
  const { unwireFeature } = await import('../wire/unwire.ts')
  const { adapter } = storeOf(before)
  const removed = missingFeatures(after, before)
  let disk = versions.disk
  for (const feature of removed)
    disk = disk === undefined ? disk : unwireFeature(path, disk, feature, adapter)
  if (disk === undefined) return undefined
  const rest = { ...before, features: before.features.filter((each) => !removed.includes(each)) }
  const unwired = { ...versions, disk, base: (await renderWiring(rest)).get(path) }
  const merge =
    (await mergeAdded({ before: rest, after }, path, unwired)) ?? (await mergeFile(path, unwired))
  if (merge.kind !== 'keep') return merge
  return { kind: 'write', text: disk, reason: 'feature removed from your version', risk: 'review' }
}

/** Returns true if a wiring file must change and differs from the emitted text. */
function isEdited({ base, disk, next }: Versions): boolean {
  return base !== next && disk !== base && disk !== next
}

/** Merges the lines of removed and changed features. */
async function mergeRest(
  { before, after }: Change,
  path: string,
  versions: Versions,
): Promise<Merge> {
  const isAdditionAlone =
    missingFeatures(after, before).length === 0 && changedFeatures(before, after).length === 0
  if (isAdditionAlone) return { kind: 'keep', reason: 'nothing but additions' }
  const added = missingFeatures(before, after)
  const features = after.features.filter((feature) => !added.includes(feature))
  const next = (await renderWiring({ ...after, features })).get(path)
  return next === undefined
    ? { kind: 'keep', reason: 'no wiring' }
    : mergeFile(path, { ...versions, next })
}

async function wire(
  { before, after }: Change,
  path: string,
  disk: string,
  added: readonly Feature[],
): Promise<Merge> {
  const { wireFeature } = await import('../wire/wire.ts')
  const { adapter } = storeOf(before)
  let text = disk
  const notFound: Extract<WireResult, { kind: 'not-found' }>[] = []
  for (const feature of added) {
    const isProtected = hasGuard(after, feature)
    const repositories = guardedRepositories(after, feature)
    const result = wireFeature({ path, text, feature, adapter, isProtected, repositories })
    if (result.kind === 'edited') text = result.text
    if (result.kind === 'not-found') notFound.push(result)
  }
  if (notFound.length > 0) {
    const missing = [...new Set(notFound.map((result) => result.missing))].join(' and ')
    const hunks = notFound.flatMap(({ lines }) => lines)
    return {
      kind: 'conflict',
      reason: `could not find ${missing}, add these lines by hand:`,
      hunks,
    }
  }
  if (text === disk) return { kind: 'keep', reason: 'the feature is already wired' }
  return { kind: 'write', text, reason: 'feature added to your version', risk: 'review' }
}

/** Accepts a deleted client. The other wiring files are required: without them a feature is unreachable. */
function deleted(path: string): Merge {
  if (path === 'client/index.ts') return { kind: 'keep', reason: 'deleted by you' }
  return {
    kind: 'conflict',
    reason: 'was deleted, but features are wired there: restore the file',
    hunks: [],
  }
}
