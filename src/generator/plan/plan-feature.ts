import { StrataError } from '../errors.ts'
import { narrowings } from '../migrate/narrowings.ts'
import type { Feature, Model } from '../model/model.ts'
import { renderFeature, renderWiring, wiringFiles } from '../render/render.ts'
import { printModel, readModel } from '../spec/project-file.ts'
import { storeOf } from '../stores/stores.ts'
import { byPath, put, type ReadFile } from './actions.ts'
import { basePath, projectPath } from './base.ts'
import { type Merge, mergeFile, type Versions } from './merge-file.ts'
import type { Action, Plan } from './plan.ts'

export interface FeatureChange {
  /** Absolute path of the project's root. */
  readonly root: string
  /** The model the project was written from last. */
  readonly before: Model
  /** The text of `strata.json`. */
  readonly projectFile: string
  readonly after: Model
  readonly feature: Feature
  readonly readFile: ReadFile
  /** The names of the folders in a folder of the project; none where it is missing. */
  readonly listFolders: (path: string) => readonly string[]
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
 * Everything that changes when a feature is added or changed; a plan of nothing but `skip` when the project
 * says it already. Throws StrataError 'conflict', naming every place, where a person's edits stand in the way
 * or stored data would be lost.
 */
export async function planFeature(change: FeatureChange): Promise<Plan> {
  const { root, after, feature, readFile } = change
  const rendered = [
    ...(await renderWiring(after)),
    ...(await renderFeature(after, feature)),
    ...(await renderRelated(change)),
  ]
  const baseOf = await basesOf(change, rendered)
  const outcomes = await Promise.all(
    rendered.map(async ([path, next]) => {
      const versions = { base: baseOf(path), disk: readFile(path), next }
      return { path, next, merge: await mergeOne(change, path, versions) }
    }),
  )
  refuseUnknownPaths(change.resolve.theirs, rendered)
  refuseConflicts(outcomes)
  const actions = outcomes.flatMap(({ path, next, merge }) => [
    ...toActions(readFile, path, merge),
    ...put(readFile, basePath(path), next, 'base of later merges'),
  ])
  actions.push(...migrate(change), ...projectFile(change))
  return { root, actions: actions.sort(byPath) }
}

type Rendered = readonly (readonly [path: string, text: string])[]

/** The files of other features that come out differently now: a record gains a part, or a name to be known by. */
async function renderRelated({ before, after, feature }: FeatureChange): Promise<Rendered> {
  const others = after.features.filter(
    (other) =>
      other.entity.pascal !== feature.entity.pascal &&
      [before, after].some((model) => areRelated(model, other, feature)),
  )
  const files = others.map(async (other) => {
    const old = await renderFeature(before, other)
    return [...(await renderFeature(after, other))].filter(([path, text]) => old.get(path) !== text)
  })
  return (await Promise.all(files)).flat()
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

/** The texts that were emitted last: as kept, or where they are lost as the model before gives them. */
async function basesOf(
  { before, readFile }: FeatureChange,
  rendered: Rendered,
): Promise<(path: string) => string | undefined> {
  const kept = new Map(rendered.map(([path]) => [path, readFile(basePath(path))]))
  const isLost = rendered.some(
    ([path]) => kept.get(path) === undefined && readFile(path) !== undefined,
  )
  if (!isLost) return (path) => kept.get(path)
  const features = before.features.map((each) => renderFeature(before, each))
  const again = new Map(
    (await Promise.all([renderWiring(before), ...features])).flatMap((files) => [...files]),
  )
  return (path) => kept.get(path) ?? again.get(path)
}

async function mergeOne(change: FeatureChange, path: string, versions: Versions): Promise<Merge> {
  const isWiring = wiringFiles.some((wiring) => wiring === path)
  const merge =
    isWiring && isEdited(versions) ? await wire(change, path, versions) : mergeFile(versions)
  if (merge.kind !== 'conflict') return merge
  if (change.resolve.theirs.includes(path))
    return { kind: 'write', text: versions.next, reason: 'generated, as asked' }
  return change.resolve.keep ? { kind: 'keep', reason: 'kept, as asked' } : merge
}

/** Whether a wiring file that must change is no longer what was emitted. */
function isEdited({ base, disk, next }: Versions): boolean {
  return base !== next && disk !== base && disk !== next
}

/** By syntax tree, as a person's renames and reformatting would confuse a merge of lines. */
async function wire(change: FeatureChange, path: string, versions: Versions): Promise<Merge> {
  const { before, feature } = change
  const { base, disk } = versions
  const isNew = !before.features.some(({ entity }) => entity.pascal === feature.entity.pascal)
  if (disk === undefined) return deleted(path)
  if (!isNew && base !== undefined) return mergeFile(versions)
  const { wireFeature } = await import('../wire/wire.ts')
  const { adapter } = storeOf(before.database)
  const result = wireFeature({ path, text: disk, feature, adapter })
  switch (result.kind) {
    case 'edited':
      return {
        kind: 'write',
        text: result.text,
        reason: 'edited at its place in your version',
        risk: 'review',
      }
    case 'unchanged':
      return { kind: 'keep', reason: 'names the feature already' }
    case 'not-found':
      return {
        kind: 'conflict',
        reason: `could not find ${result.missing}, add by hand:`,
        hunks: result.lines,
      }
  }
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

function toActions(readFile: ReadFile, path: string, merge: Merge): readonly Action[] {
  if (merge.kind === 'write') return put(readFile, path, merge.text, merge.reason, merge.risk)
  return [{ kind: 'skip', path, reason: merge.reason }]
}

function refuseUnknownPaths(theirs: readonly string[], rendered: Rendered): void {
  const unknown = theirs.find((path) => !rendered.some(([known]) => known === path))
  if (unknown === undefined) return
  throw new StrataError('usage', `--theirs ${unknown}: this run generates no such file`)
}

function refuseConflicts(outcomes: readonly { path: string; merge: Merge }[]): void {
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

function migrate({ before, after, listFolders, resolve }: FeatureChange): readonly Action[] {
  const store = storeOf(after.database)
  const migration = store.migration(before, after, listFolders)
  const told = migration?.destructive ?? store.losses?.(before, after) ?? []
  const losses = lossesOf(told, narrowings(before, after))
  if (losses.length > 0 && !resolve.allowDestructive) {
    throw new StrataError(
      'conflict',
      'stored data would be lost or no longer fit, so nothing was changed: say --allow-destructive if that is meant',
      { details: losses },
    )
  }
  if (!migration) return []
  const { path, text } = migration
  return [
    {
      kind: 'create',
      path,
      after: text,
      reason: 'brings the store to the model',
      ...(losses.length > 0 && { risk: 'data-loss' as const }),
    },
  ]
}

/** What the migration tells of a field says it all. */
function lossesOf(told: readonly string[], narrowed: readonly string[]): readonly string[] {
  const field = (sentence: string) => sentence.split(' ', 1)[0]
  const fields = new Set(told.map(field))
  return [...told, ...narrowed.filter((sentence) => !fields.has(field(sentence)))]
}

/** Left as it is written while it says the same. Its base is what the next run takes for the model before. */
function projectFile({ after, projectFile: text, readFile }: FeatureChange): readonly Action[] {
  const next = printModel(after, text)
  const isSame = next === printModel(readModel(text), text)
  return [
    ...(isSame ? [] : put(readFile, projectPath, next, 'the model')),
    ...put(readFile, basePath(projectPath), isSame ? text : next, 'base of later merges'),
  ]
}
