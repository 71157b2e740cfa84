import type { Feature, Model } from '../model/model.ts'
import {
  type Files,
  formatShared,
  renderFeature,
  renderProject,
  renderWiring,
  sharedTexts,
} from '../render/render.ts'
import { changedFeatures, findFeature, hasOtherSettings, missingFeatures } from './differences.ts'

/** The files that a change affects. */
export interface AffectedFiles {
  /** Path and new text of each file to emit. */
  readonly files: readonly (readonly [path: string, text: string])[]
  /** Paths of files that are no longer emitted. */
  readonly removed: readonly string[]
}

interface Change {
  readonly before: Model
  readonly after: Model
  readonly requested: readonly Feature[]
}

/** Returns the wiring, the files of changed features, and other features' files that differ. */
export async function affectedFiles(change: Change): Promise<AffectedFiles> {
  const { before, after } = change
  if (hasOtherSettings(before, after))
    return differenceOf(wholeProject(before), wholeProject(after))
  const touched = touchedFeatures(change)
  const files = [await renderWiring(after), ...(await renderEach(after, touched))]
  const removed = missingFeatures(after, before)
  const related = await relatedFiles(change, [...touched, ...removed])
  const shared = await sharedFiles(change)
  return {
    files: [...files.flatMap((each) => [...each]), ...related.files, ...shared.files],
    removed: [...(await removedFiles(change, removed)), ...related.removed, ...shared.removed],
  }
}

/** Returns every file of the project: an earlier version of strata emitted it, so each file may differ. */
export async function wholeScope(
  { after }: Change,
  emitted: readonly string[],
): Promise<AffectedFiles> {
  const next = await wholeProject(after)
  return { files: [...next], removed: emitted.filter((path) => !next.has(path)) }
}

/** Renders every file of a project except its settings, `strata.json` and the migrations. */
export async function wholeProject(model: Model): Promise<Files> {
  const all = [await renderProject(model), ...(await renderEach(model, model.features))]
  return new Map(all.flatMap((files) => [...files]))
}

function touchedFeatures({ before, after, requested }: Change): readonly Feature[] {
  const touched = [
    ...requested,
    ...missingFeatures(before, after),
    ...changedFeatures(before, after),
  ]
  return after.features.filter((feature) =>
    touched.some(({ entity }) => entity.pascal === feature.entity.pascal),
  )
}

/** Lists the files of removed features, and files that changed features no longer have. */
async function removedFiles(
  { before, after }: Change,
  removed: readonly Feature[],
): Promise<string[]> {
  const changed = changedFeatures(before, after)
  const old = await renderEach(before, [
    ...removed,
    ...changed.flatMap((feature) => findFeature(before, feature) ?? []),
  ])
  const next = await renderEach(after, changed)
  return old
    .flatMap((files) => [...files.keys()])
    .filter((path) => !next.some((files) => files.has(path)))
}

/**
 * Finds changed files of other features: for example, their records gain a part, embed another label, or become as
 * private as the record that they are parts of, at any depth.
 */
async function relatedFiles(
  { before, after }: Change,
  about: readonly Feature[],
): Promise<AffectedFiles> {
  const isIn = (features: readonly Feature[], { entity }: Feature) =>
    features.some((each) => each.entity.pascal === entity.pascal)
  const related = [...about]
  // The loop appends to the list that it walks.
  for (const one of related) {
    const next = after.features.filter(
      (other) =>
        !isIn(related, other) && [before, after].some((model) => areRelated(model, other, one)),
    )
    related.push(...next)
  }
  const others = after.features.filter((each) => isIn(related, each) && !isIn(about, each))
  return differenceOf(merged(renderEach(before, others)), merged(renderEach(after, others)))
}

async function sharedFiles({ before, after }: Change): Promise<AffectedFiles> {
  const { files, removed } = difference(sharedTexts(before), sharedTexts(after))
  return { files: [...(await formatShared(new Map(files)))], removed }
}

async function differenceOf(before: Promise<Files>, after: Promise<Files>): Promise<AffectedFiles> {
  // Both at once: a rejection before its await would end the process.
  const [old, next] = await Promise.all([before, after])
  return difference(old, next)
}

function difference(old: Files, next: Files): AffectedFiles {
  return {
    files: [...next].filter(([path, text]) => old.get(path) !== text),
    removed: [...old.keys()].filter((path) => !next.has(path)),
  }
}

function renderEach(model: Model, features: readonly Feature[]): Promise<readonly Files[]> {
  return Promise.all(features.map((feature) => renderFeature(model, feature)))
}

async function merged(files: Promise<readonly Files[]>): Promise<Files> {
  return new Map((await files).flatMap((each) => [...each]))
}

/** Returns true if one of the features, as declared in the model, refers to the other. */
function areRelated({ features }: Model, one: Feature, other: Feature): boolean {
  const names = [one.entity.pascal, other.entity.pascal]
  return features
    .filter(({ entity }) => names.includes(entity.pascal))
    .some(({ entity, fields, many }) => {
      const targets = [
        ...fields.map(({ references }) => references?.target),
        ...many.map(({ target }) => target),
      ]
      return names.some((name) => name !== entity.pascal && targets.includes(name))
    })
}
