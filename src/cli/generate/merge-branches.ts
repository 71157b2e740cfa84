import { StrataError } from '../../generator/errors.ts'
import { mergeProjectFiles, type ProjectFiles } from '../../generator/merge/merge-project-file.ts'
import type { MigrationFile } from '../../generator/migrate/own-sqlite.ts'
import type { Model } from '../../generator/model/model.ts'
import { basePath, projectPath } from '../../generator/plan/base.ts'
import type { Action, Plan } from '../../generator/plan/plan.ts'
import { readModel, readStoredModel } from '../../generator/spec/project-file.ts'
import type { Branches, Commit } from './git-branches.ts'
import type { Project } from './project.ts'

/** A project in which git merges two branches, as the plan stage sees it. */
export interface MergedProject {
  /** The project without conflict markers: emitted files with conflicts are those of this branch. */
  readonly project: Project
  /** The model that the migrations of both branches create. */
  readonly written: Model
  /** Returns the merged branch's version of a file with conflicts, and the text that strata emitted there. */
  readonly other: (path: string) => { base: string | undefined; disk: string } | undefined
  /** Adds the migrations that the branches need, and fits the plan to the files with conflict markers. */
  readonly complete: (plan: Plan, merged: Model) => Promise<Plan>
}

/** Opens a project in which git merges branches. Throws StrataError 'conflict' if the branches contradict each other. */
export function openMerged(disk: Project, branches: Branches): MergedProject {
  const { base, ours, theirs } = branches
  const hasMarkers = (path: string) => /^<{7} /m.test(disk.readFile(path) ?? '')
  const isEmitted = (path: string) =>
    [ours, theirs].some(({ readFile }) => readFile(basePath(path)) !== undefined)
  const emitted = emittedPaths(disk).filter(
    (path) => path !== projectPath && (hasMarkers(path) || hasMarkers(basePath(path))),
  )
  const conflicting = emitted.filter(isEmitted)
  const overlay = new Map<string, string | undefined>()
  for (const path of conflicting) {
    for (const each of [path, basePath(path)]) overlay.set(each, ours.readFile(each))
  }
  const declared = mergedText(projectPath, branches)
  if (hasMarkers(projectPath)) {
    refuse(declared.conflicts)
    overlay.set(projectPath, declared.text)
  }
  const decided = overlay.get(projectPath) ?? disk.readFile(projectPath)
  const written = mergedText(basePath(projectPath), branches, decided)
  if (hasMarkers(basePath(projectPath))) overlay.set(basePath(projectPath), written.text)
  refuseLostTables(branches)
  const twice = doubleMigrations(base, ours, theirs)
  for (const { path, sql } of twice.kept) overlay.set(path, sql)
  for (const { path, sql } of twice.moved) overlay.set(path, sql)
  const project = overlaid(disk, overlay)
  return {
    project,
    written: readStoredModel(written.text),
    other: (path) => {
      const text = conflicting.includes(path) ? theirs.readFile(path) : undefined
      return text === undefined ? undefined : { base: theirs.readFile(basePath(path)), disk: text }
    },
    complete: async (plan, merged) => {
      const mends = await mendsOf(branches, twice.moved, project, merged)
      return fitToDisk(plan, [...overlay], mends, disk)
    },
  }
}

/** Lists the emitted files of the project. */
function emittedPaths({ listFiles }: Project): readonly string[] {
  return listFiles('.strata/base').map((path) => path.slice('.strata/base/'.length))
}

/** Merges the texts of a file of both branches. `decided` has the values that a person chose. */
function mergedText(path: string, { base, ours, theirs }: Branches, decided?: string) {
  const texts = [base, ours, theirs].map(
    ({ readFile }) => readFile(path) ?? readFile(projectPath) ?? '',
  )
  for (const text of texts) readStoredModel(text)
  if (decided !== undefined) readModel(decided)
  const [first = '', second = '', third = ''] = texts
  const files: ProjectFiles = {
    ...{ base: first, ours: second, theirs: third },
    ...(decided !== undefined && { decided }),
  }
  return mergeProjectFiles(files)
}

function refuse(conflicts: readonly string[]): void {
  if (conflicts.length === 0) return
  throw new StrataError(
    'conflict',
    'the branches contradict each other, so nothing was changed: write what you want into strata.json, without conflict markers, and run strata sync again',
    { details: conflicts },
  )
}

/**
 * Throws StrataError 'conflict' if one branch drops or renames a table that new migrations of the other one use: a database of
 * the first branch can't apply them.
 */
function refuseLostTables({ base, ours, theirs }: Branches): void {
  const before = writtenModel(base)
  const sides = [
    { name: 'this branch', commit: ours, other: theirs, otherName: 'the merged branch' },
    { name: 'the merged branch', commit: theirs, other: ours, otherName: 'this branch' },
  ]
  for (const { name, commit, other, otherName } of sides) {
    const kept = new Set(writtenModel(commit).features.map(({ entity }) => entity.plural.snake))
    for (const { entity } of before.features.filter(
      (each) => !kept.has(each.entity.plural.snake),
    )) {
      const table = new RegExp(`["\`[]${entity.plural.snake}["\`\\]]`)
      const change = newMigrations(base, other).find(({ sql }) => table.test(sql))
      const isShared = newMigrations(base, commit).some(
        ({ path, sql }) => path === change?.path && sql === change.sql,
      )
      if (change === undefined || isShared) continue
      throw new StrataError(
        'conflict',
        `${name} removes or renames ${entity.pascal}, and ${otherName} uses its table in a migration: a database of ${name} can't apply ${change.path}. Take that change back on ${otherName}, merge, and make it again`,
      )
    }
  }
}

function newMigrations(base: Commit, branch: Commit): readonly MigrationFile[] {
  return branch.migrations.filter(({ path }) => !base.migrations.some((each) => each.path === path))
}

function writtenModel({ readFile }: Commit): Model {
  return readStoredModel(readFile(basePath(projectPath)) ?? readFile(projectPath) ?? '')
}

/** Finds migrations of one name with different texts. Those of the merged branch get another name, after the first. */
function doubleMigrations(base: Commit, ours: Commit, theirs: Commit) {
  const isShared = ({ path }: MigrationFile) => base.migrations.some((each) => each.path === path)
  const kept = ours.migrations.filter(
    (mine) =>
      !isShared(mine) &&
      theirs.migrations.some(({ path, sql }) => path === mine.path && sql !== mine.sql),
  )
  const moved = theirs.migrations
    .filter(({ path }) => kept.some((mine) => mine.path === path))
    .map(({ path, sql }) => ({
      from: path,
      path: path.replace(/(\/migration\.sql)$/, '_2$1'),
      sql,
    }))
  return { kept, moved }
}

async function mendsOf(
  { base, ours, theirs }: Branches,
  moved: readonly (MigrationFile & { readonly from: string })[],
  { readFile, listFolders }: Project,
  merged: Model,
): Promise<readonly MigrationFile[]> {
  if (merged.database !== 'sqlite') return []
  const isShared = ({ path }: MigrationFile) => base.migrations.some((each) => each.path === path)
  const renamed = (file: MigrationFile): MigrationFile =>
    moved.find(({ from }) => from === file.path) ?? file
  const [left, right] = [
    ours.migrations.filter((file) => !isShared(file)),
    theirs.migrations.filter((file) => !isShared(file)).map(renamed),
  ]
  const known = new Set([...base.migrations, ...left, ...right].map(({ path }) => path))
  const isMended = listFolders('prisma/migrations').some((folder) => {
    const path = `prisma/migrations/${folder}/migration.sql`
    return readFile(path) !== undefined && !known.has(path)
  })
  if (isMended || left.length === 0 || right.length === 0) return []
  const onlyTheirs = right.filter(({ path }) => !left.some((each) => each.path === path))
  const { mendBranches } = await import('../../generator/migrate/mend-branches.ts')
  return mendBranches({
    shared: base.migrations,
    ours: left,
    theirs: onlyTheirs,
    models: [base, ours, theirs].map(({ readFile: read }) =>
      readStoredModel(read(basePath(projectPath)) ?? read(projectPath) ?? ''),
    ),
    merged,
  })
}

function overlaid(disk: Project, overlay: ReadonlyMap<string, string | undefined>): Project {
  const added = [...overlay].flatMap(([path, text]) => (text === undefined ? [] : [path]))
  return {
    ...disk,
    readFile: (path) => (overlay.has(path) ? overlay.get(path) : disk.readFile(path)),
    listFiles: (folder) => [
      ...new Set([
        ...disk
          .listFiles(folder)
          .filter((path) => overlay.get(path) !== undefined || !overlay.has(path)),
        ...added.filter((path) => path.startsWith(`${folder}/`)),
      ]),
    ],
    listFolders: (folder) => [
      ...new Set([
        ...disk.listFolders(folder),
        ...added
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/'))
          .flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])),
      ]),
    ],
  }
}

/** Replaces the texts that a plan of the overlaid project expects by those on disk, and writes the overlaid files. */
function fitToDisk(
  plan: Plan,
  overlay: readonly (readonly [path: string, text: string | undefined])[],
  mends: readonly MigrationFile[],
  { readFile }: Project,
): Plan {
  const planned = new Map<string, Action>(plan.actions.map((action) => [action.path, action]))
  for (const { path, sql } of mends) {
    planned.set(path, {
      kind: 'create',
      path,
      after: sql,
      reason: 'mends what the branches change in the same table',
    })
  }
  for (const [path, text] of overlay) {
    const action = planned.get(path)
    if ((action === undefined || action.kind === 'skip') && text !== undefined)
      planned.set(path, { kind: 'create', path, after: text, reason: 'merged from both branches' })
  }
  const fitted = [...planned.values()].flatMap((action) => onDisk(action, readFile(action.path)))
  return { ...plan, actions: fitted.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}

function onDisk(action: Action, before: string | undefined): readonly Action[] {
  if (action.kind === 'skip') return [action]
  if (action.kind === 'delete') return before === undefined ? [] : [{ ...action, before }]
  if (action.after === before) return []
  return before === undefined
    ? [{ ...action, kind: 'create' }]
    : [{ ...action, kind: 'edit', before }]
}
