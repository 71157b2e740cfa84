import type { Feature, Model } from '../model/model.ts'
import { renderWiring, wiringFiles } from '../render/render.ts'
import { storeOf } from '../stores/stores.ts'
import type { WireResult } from '../wire/wire.ts'
import { changedFeatures, hasOtherSettings, missingIn } from './differences.ts'
import { type Merge, mergeFile, type Versions } from './merge-file.ts'

interface Change {
  readonly before: Model
  readonly after: Model
}

/**
 * A wiring file that a person edited: what is new is added by syntax tree, as their renames and reformatting would
 * confuse a merge of lines. Undefined for all that a merge of lines is right for.
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
  const added = missingIn(before, after)
  if (added.length === 0 || hasOtherSettings(before, after)) return undefined
  const rest = await mergeRest(change, path, versions)
  if (rest.kind === 'conflict') return rest
  return wire(change, path, rest.kind === 'write' ? rest.text : versions.disk, added)
}

/** Whether a wiring file that must change is no longer what was emitted. */
function isEdited({ base, disk, next }: Versions): boolean {
  return base !== next && disk !== base && disk !== next
}

/** What else the change does to the file: lines of features that go, or get another name. */
async function mergeRest(
  { before, after }: Change,
  path: string,
  versions: Versions,
): Promise<Merge> {
  const isAdditionAlone =
    missingIn(after, before).length === 0 && changedFeatures(before, after).length === 0
  if (isAdditionAlone) return { kind: 'keep', reason: 'nothing but additions' }
  const added = missingIn(before, after)
  const features = after.features.filter((feature) => !added.includes(feature))
  const next = (await renderWiring({ ...after, features })).get(path)
  return next === undefined
    ? { kind: 'keep', reason: 'no wiring' }
    : mergeFile({ ...versions, next })
}

async function wire(
  { before }: Change,
  path: string,
  disk: string,
  added: readonly Feature[],
): Promise<Merge> {
  const { wireFeature } = await import('../wire/wire.ts')
  const { adapter } = storeOf(before.database)
  let text = disk
  const byHand: Extract<WireResult, { kind: 'not-found' }>[] = []
  for (const feature of added) {
    const result = wireFeature({ path, text, feature, adapter })
    if (result.kind === 'edited') text = result.text
    if (result.kind === 'not-found') byHand.push(result)
  }
  if (byHand.length > 0) {
    const missing = [...new Set(byHand.map((result) => result.missing))].join(' and ')
    const hunks = byHand.flatMap(({ lines }) => lines)
    return { kind: 'conflict', reason: `could not find ${missing}, add by hand:`, hunks }
  }
  if (text === disk) return { kind: 'keep', reason: 'names the feature already' }
  return { kind: 'write', text, reason: 'edited at its place in your version', risk: 'review' }
}

/** An app may live without its client; the other wiring is what its features hang on. */
function deleted(path: string): Merge {
  if (path === 'client/index.ts') return { kind: 'keep', reason: 'deleted by you' }
  return {
    kind: 'conflict',
    reason: 'is gone, and a feature is wired there: bring it back',
    hunks: [],
  }
}
