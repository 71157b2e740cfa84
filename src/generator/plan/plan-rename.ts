import { StrataError } from '../errors.ts'
import { inStyle } from '../merge/in-style.ts'
import type { Model } from '../model/model.ts'
import { withStoreRename } from '../model/store-rename.ts'
import { renamedSpellings } from '../rename/spellings.ts'
import { type CodeStyle, formatScript } from '../render/format.ts'
import { renderFeature } from '../render/render.ts'
import { storeOf } from '../stores/stores.ts'
import { byPath, deleteActions, writeActions } from './actions.ts'
import { wholeProject } from './affected-files.ts'
import { basePath } from './base.ts'
import { currentVersion, versionOf } from './emitted-version.ts'
import { ownStyle, scriptStyleOf } from './own-style.ts'
import type { Action, Plan } from './plan.ts'
import {
  decideAll,
  isFromEarlierVersion,
  projectFile,
  refuseConflicts,
  refuseUnknownPaths,
  resolveConflict,
} from './plan-change.ts'
import { removeFile } from './remove-file.ts'
import type { EmittedFile, RenameChange } from './rename-change.ts'
import { renameOwnCode } from './rename-own-code.ts'

/**
 * Plans a rename. A person's code is renamed first, then merged with the files that strata emits for the new model, so
 * that both sides have the same names. Throws StrataError 'conflict' with every place if edits conflict.
 */
export async function planRename(given: RenameChange): Promise<Plan> {
  const change = { ...given, after: withRecordedRename(given) }
  const { root, readFile, resolve } = change
  if (versionOf(readFile) < currentVersion || isFromEarlierVersion(change)) {
    throw new StrataError(
      'conflict',
      'an earlier strata wrote the code of this project, so nothing was changed: run strata upgrade first',
    )
  }
  const migration = await migrationActions(change)
  const files = await emittedFiles(change)
  refuseTakenPaths(change, files)
  const spellings = renamedSpellings(change.before, change.after)
  const project = await ownStyle(readFile)
  const styleFor = (path: string) => scriptStyleOf(project, path)
  const own = await renameOwnCode(change, files, spellings, styleFor)
  const merged = await Promise.all(
    files.map(async (file) => {
      const { path, next } = file
      const disk = own.textOf(file.from)
      const merge = resolveConflict(await own.merge(file), path, resolve, next)
      const versions = { base: file.base, disk: readFile(file.from), style: styleFor(path) }
      return { file, path, next, merge: await inStyle(path, versions, merge), disk }
    }),
  )
  const outcomes = await decideAll(merged, resolve.decide, ({ disk }) => disk)
  refuseUnknownPaths(resolve.theirs, outcomes)
  refuseConflicts(outcomes)
  const actions = outcomes.flatMap(({ file: { from, path, next }, merge, disk }): Action[] => {
    const text = merge.kind === 'write' ? merge.text : disk
    const risk = merge.kind === 'write' ? merge.risk : undefined
    const reason = from === path ? merge.reason : `moved from ${from}`
    return [
      ...moved(from, path),
      ...(text === undefined ? [] : writeActions(readFile, path, text, reason, risk)),
      ...moved(basePath(from), basePath(path)),
      ...writeActions(readFile, basePath(path), next, 'base of later merges'),
    ]
  })
  const edits = own.others.flatMap(({ path, text }) =>
    writeActions(readFile, path, text, 'renamed in your code', 'review'),
  )
  actions.push(
    ...edits,
    ...(await addedFiles(change, files, styleFor)),
    ...(await removedFiles(change, files)),
    ...migration,
    ...projectFile({ ...change, requested: [] }),
  )
  return { root, actions: actions.sort(byPath), notes: own.notes(outcomes) }

  function moved(from: string, to: string): readonly Action[] {
    return from === to ? [] : deleteActions(readFile, from, `moved to ${to}`)
  }
}

/** A store of documents has no migrations. The model lists its renames, and the app applies them. */
function withRecordedRename({ before, after }: RenameChange): Model {
  return storeOf(after).renameMigration === undefined ? withStoreRename(before, after) : after
}

/** Pairs the emitted files before and after. A file of a renamed entity has another path. */
async function emittedFiles({ before, after, readFile }: RenameChange): Promise<EmittedFile[]> {
  const [old, next] = [await wholeProject(before), await wholeProject(after)]
  const paths = await movedPaths(before, after)
  return [...old].flatMap(([from, rendered]) => {
    const path = paths.get(from) ?? from
    const text = next.get(path)
    if (text === undefined) return []
    return [{ from, path, rendered, base: readFile(basePath(from)) ?? rendered, next: text }]
  })
}

/** Returns the actions that write the files which only the new model has. */
async function addedFiles(
  { after, readFile }: RenameChange,
  files: readonly EmittedFile[],
  styleFor: (path: string) => CodeStyle | undefined,
): Promise<readonly Action[]> {
  const known = new Set(files.map(({ path }) => path))
  const added = [...(await wholeProject(after))].filter(([path]) => !known.has(path))
  const taken = added.find(([path, text]) => (readFile(path) ?? text) !== text)
  if (taken) {
    const message = `${taken[0]} exists, and the rename needs that path: move your file to another path first`
    throw new StrataError('conflict', message)
  }
  const written = await Promise.all(
    added.map(async ([path, text]) => {
      const style = styleFor(path)
      return [path, text, (style && (await formatScript(path, text, style))) ?? text] as const
    }),
  )
  return written.flatMap(([path, text, styled]) => [
    ...writeActions(readFile, path, styled, 'needed after the rename'),
    ...writeActions(readFile, basePath(path), text, 'base of later merges'),
  ])
}

/** Returns the actions that delete the files which only the previous model has. Throws `conflict` if a person edited one. */
async function removedFiles(
  { before, readFile, resolve }: RenameChange,
  files: readonly EmittedFile[],
): Promise<readonly Action[]> {
  const known = new Set(files.map(({ from }) => from))
  const removed = [...(await wholeProject(before))].filter(([path]) => !known.has(path))
  const outcomes = await Promise.all(
    removed.map(async ([path, rendered]) => {
      const base = readFile(basePath(path)) ?? rendered
      const merge = await removeFile(path, { base, disk: readFile(path) })
      return { path, merge: resolveConflict(merge, path, resolve, undefined) }
    }),
  )
  refuseConflicts(outcomes)
  return outcomes.flatMap(({ path, merge }) => [
    ...(merge.kind === 'remove' ? deleteActions(readFile, path, merge.reason) : []),
    ...deleteActions(readFile, basePath(path), 'is no longer generated'),
  ])
}

/** Maps each path of a feature's file to the path of the same template after the rename. */
async function movedPaths(before: Model, after: Model): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  for (const [i, feature] of before.features.entries()) {
    const next = after.features[i]
    if (next === undefined || next.entity.kebab === feature.entity.kebab) continue
    const old = [...(await renderFeature(before, feature)).keys()]
    const kebab = `${feature.entity.kebab}.`
    for (const path of old) {
      const [folder, name] = [
        path.slice(0, path.lastIndexOf('/') + 1),
        path.split('/').at(-1) ?? '',
      ]
      if (name.startsWith(kebab))
        paths.set(path, `${folder}${next.entity.kebab}.${name.slice(kebab.length)}`)
    }
  }
  return paths
}

function refuseTakenPaths({ readFile }: RenameChange, files: readonly EmittedFile[]): void {
  const taken = files.filter(
    ({ from, path }) =>
      from !== path &&
      readFile(path) !== undefined &&
      !files.some((other) => other.from === path && other.path !== path),
  )
  const [first] = taken
  if (first === undefined) return
  throw new StrataError(
    'conflict',
    `${first.path} exists, and ${first.from} would move there: move your file to another path first`,
    { details: taken.map(({ path }) => path) },
  )
}

async function migrationActions(change: RenameChange): Promise<readonly Action[]> {
  const { before, after } = change
  const store = storeOf(after)
  if (store.renameMigration === undefined) return []
  const migration = await store.renameMigration(before, after, change)
  if (migration === undefined) return []
  const { path, text } = migration
  return [
    { kind: 'create', path, after: text, reason: 'renames in the store, and keeps every row' },
  ]
}
