import type { Feature, Model } from '../model/model.ts'
import {
  changedSharedTexts,
  type Files,
  formatShared,
  renderFeature,
  renderProject,
  renderWiring,
  sharedTexts,
} from '../render/render.ts'
import type { ReadFile } from './actions.ts'
import { basePath } from './base.ts'
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
  readonly readFile: ReadFile
}

/** Returns the wiring, the files of changed features, and other features' files that differ. */
export async function affectedFiles(change: Change): Promise<AffectedFiles> {
  const { before, after } = change
  if (hasOtherSettings(before, after))
    return differenceOf(wholeProject(before), wholeProject(after))
  const touched = touchedFeatures(change)
  const removed = missingFeatures(after, before)
  const about = [...touched, ...removed]
  const others = relatedFeatures(change, about)
  // The formatter works in other threads while the next files are rendered.
  const [wiring, files, related, shared, gone] = await Promise.all([
    renderWiring(after),
    renderEach(after, touched),
    relatedFiles(change, others),
    sharedFiles(change, [...about, ...others]),
    removedFiles(change, removed),
  ])
  return {
    files: [...[wiring, ...files].flatMap((each) => [...each]), ...related.files, ...shared.files],
    removed: [...gone, ...related.removed, ...shared.removed],
  }
}

/** Returns every file of the project: an earlier version of strata emitted it, so each file may differ. */
export async function wholeScope(
  { after }: Pick<Change, 'after'>,
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
 * Finds features whose files the change may affect: for example, their records gain a part, embed another label, or become as
 * private as the record that they are parts of, at any depth.
 */
function relatedFeatures({ before, after }: Change, about: readonly Feature[]): readonly Feature[] {
  const related = [...about]
  // The loop appends to the list that it walks.
  for (const one of related) {
    const next = after.features.filter(
      (other) =>
        !isIn(related, other) && [before, after].some((model) => areRelated(model, other, one)),
    )
    related.push(...next)
  }
  return after.features.filter((each) => isIn(related, each) && !isIn(about, each))
}

function isIn(features: readonly Feature[], { entity }: Feature): boolean {
  return features.some((each) => each.entity.pascal === entity.pascal)
}

function relatedFiles(
  { before, after }: Change,
  others: readonly Feature[],
): Promise<AffectedFiles> {
  // Views compare features by identity.
  const former = before.features.filter((each) => isIn(others, each))
  return differenceOf(merged(renderEach(before, former)), merged(renderEach(after, others)))
}

async function sharedFiles(
  { before, after, readFile }: Change,
  differing: readonly Feature[],
): Promise<AffectedFiles> {
  const ofModel = ({ features }: Model) => features.filter((each) => isIn(differing, each))
  const { old, next } = changedSharedTexts({
    before,
    after,
    differing: { before: ofModel(before), after: ofModel(after) },
    baseOf: (path) => readFile(basePath(path)),
  }) ?? { old: sharedTexts(before), next: sharedTexts(after) }
  const { files, removed } = difference(old, next)
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
