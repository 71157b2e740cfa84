import type { Feature, Model } from '../model/model.ts'
import { type Files, renderFeature, renderProject, renderWiring } from '../render/render.ts'
import { changedFeatures, hasOtherSettings, missingIn, sameIn } from './differences.ts'

/** What a change is about. */
export interface Scope {
  /** As they are to be emitted: path and text. */
  readonly files: readonly (readonly [path: string, text: string])[]
  /** Emitted until now, and no longer. */
  readonly gone: readonly string[]
}

interface Change {
  readonly before: Model
  readonly after: Model
  readonly asked: readonly Feature[]
}

/** Other features' files are left out where they come out the same. */
export async function scopeOf(change: Change): Promise<Scope> {
  const { before, after } = change
  if (hasOtherSettings(before, after))
    return differenceOf(wholeProject(before), wholeProject(after))
  const touched = touchedIn(change)
  const files = [await renderWiring(after), ...(await renderEach(after, touched))]
  const gone = missingIn(after, before)
  const related = await relatedFiles(change, [...touched, ...gone])
  return {
    files: [...files.flatMap((each) => [...each]), ...related.files],
    gone: [...(await goneFiles(change, gone)), ...related.gone],
  }
}

/** Every file of a project but its settings, `strata.json` and the migrations. */
export async function wholeProject(model: Model): Promise<Files> {
  const all = [await renderProject(model), ...(await renderEach(model, model.features))]
  return new Map(all.flatMap((files) => [...files]))
}

function touchedIn({ before, after, asked }: Change): readonly Feature[] {
  const touched = [...asked, ...missingIn(before, after), ...changedFeatures(before, after)]
  return after.features.filter((feature) =>
    touched.some(({ entity }) => entity.pascal === feature.entity.pascal),
  )
}

/** A feature that is changed may have a file less. */
async function goneFiles({ before, after }: Change, gone: readonly Feature[]): Promise<string[]> {
  const changed = changedFeatures(before, after)
  const old = await renderEach(before, [
    ...gone,
    ...changed.flatMap((feature) => sameIn(before, feature) ?? []),
  ])
  const next = await renderEach(after, changed)
  return old
    .flatMap((files) => [...files.keys()])
    .filter((path) => !next.some((files) => files.has(path)))
}

/** The files of other features that come out differently now: a record gains a part, or a name to be known by. */
async function relatedFiles({ before, after }: Change, about: readonly Feature[]): Promise<Scope> {
  const others = after.features.filter(
    (other) =>
      !about.some(({ entity }) => entity.pascal === other.entity.pascal) &&
      [before, after].some((model) => about.some((one) => areRelated(model, other, one))),
  )
  return differenceOf(merged(renderEach(before, others)), merged(renderEach(after, others)))
}

async function differenceOf(before: Promise<Files>, after: Promise<Files>): Promise<Scope> {
  const [old, next] = await Promise.all([before, after])
  return {
    files: [...next].filter(([path, text]) => old.get(path) !== text),
    gone: [...old.keys()].filter((path) => !next.has(path)),
  }
}

function renderEach(model: Model, features: readonly Feature[]): Promise<readonly Files[]> {
  return Promise.all(features.map((feature) => renderFeature(model, feature)))
}

async function merged(files: Promise<readonly Files[]>): Promise<Files> {
  return new Map((await files).flatMap((each) => [...each]))
}

/** Whether one of them, as the model has it, names the other. */
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
