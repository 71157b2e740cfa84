import type { Merge, Versions } from '../merge/merge.ts'
import { mergeFile } from '../merge/merge-file.ts'
import type { Feature, Model } from '../model/model.ts'
import { guardedRepositories, hasGuard } from '../render/access-view.ts'
import { renderWiring, wiringFiles } from '../render/render.ts'
import { storeOf } from '../stores/stores.ts'
import type { WireResult } from '../wire/wire.ts'
import { changedFeatures, hasOtherSettings, missingFeatures } from './differences.ts'

interface Change {
  readonly before: Model
  readonly after: Model
}

/**
 * Merges a wiring file that a person edited. Adds new features by syntax tree, because renames and reformatting
 * would confuse a merge of lines. Returns `undefined` if a merge of lines is right.
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
  const added = missingFeatures(before, after)
  if (added.length === 0 || hasOtherSettings(before, after)) return undefined
  const rest = await mergeRest(change, path, versions)
  if (rest.kind === 'conflict') return rest
  return wire(change, path, rest.kind === 'write' ? rest.text : versions.disk, added)
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
