import { StrataError } from '../errors.ts'
import { narrowings } from '../migrate/narrowings.ts'
import { overlapFaults } from '../migrate/overlap.ts'
import { featureEquals } from '../model/build.ts'
import type { Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { deleteActions, type ReadFile, writeActions } from './actions.ts'
import { basePath } from './base.ts'
import { keepMigrations, keepSchema, keptMigrations } from './kept-migrations.ts'
import type { Action } from './plan.ts'
import {
  prunedRetained,
  type Retained,
  readRetained,
  retainedActions,
  retainedPath,
  withRetained,
} from './retained.ts'

export interface StoreChange {
  readonly before: Model
  readonly after: Model
  readonly readFile: ReadFile
  /** Lists the folders in a folder of the project; empty if the folder is missing. */
  readonly listFolders: (path: string) => readonly string[]
  /** Lists the paths of all files below a folder of the project; empty if the folder is missing. */
  readonly listFiles: (path: string) => readonly string[]
  /** Changes the list of tables and columns that stay in the database although the model does not have them. */
  readonly retain?: (retained: Retained) => Retained
}

/** The migration of a change, and what a person must know about it. */
export interface MigrationPlan {
  readonly actions: readonly Action[]
  /** A sentence for each loss of data, and for each rule that stored values may break. */
  readonly losses: readonly string[]
  /** Reasons why the versions before and after can't run at once; undefined if the store does not change. */
  readonly overlapFaults?: readonly string[]
  /** The models of the database before and after the change. */
  readonly stored: { readonly from: Model; readonly database: Model }
  /** The tables, columns and second steps that the database retains after the change. */
  readonly retained: Retained
}

/**
 * Plans the migration of the store to the new model. A store without migrations has no actions. Throws
 * StrataError 'conflict' if stored data would be lost and `allowDestructive` is false.
 */
export async function migrationTo(
  change: StoreChange,
  allowDestructive: boolean,
): Promise<MigrationPlan> {
  const { after, readFile } = change
  const store = storeOf(after)
  if (change.before.database !== after.database) {
    return {
      actions: await replaceMigrations(change, store, allowDestructive),
      losses: [],
      retained: {},
      stored: { from: change.before, database: after },
    }
  }
  const isRelational = store.losses === undefined
  const former = readRetained(readFile)
  const retained = isRelational ? prunedRetained(after, change.retain?.(former) ?? former) : {}
  const before = withRetained(withEmittedUser(change), former)
  const database = withRetained(after, retained)
  const migration = await store.migration(before, database, change)
  const storeLosses = migration?.destructive ?? store.losses?.(before, database) ?? []
  const losses = allLosses(storeLosses, narrowings(before, database))
  refuseLosses(losses, allowDestructive)
  const unused = unusedFolders(storeOf(before), store).flatMap((folder) =>
    deleteFiles(change, folder, 'the queries no longer need this file'),
  )
  const changes = (migration !== undefined || !isRelational) && changesTables(before, database)
  const overlap = { before: change.before, after, database }
  return {
    losses,
    retained,
    stored: { from: before, database },
    ...(changes && { overlapFaults: overlapFaults(overlap, isRelational) }),
    actions: [
      ...unused,
      ...(isRelational ? retainedActions(readFile, retained) : []),
      ...(migration
        ? [
            {
              kind: 'create' as const,
              path: migration.path,
              after: migration.text,
              reason: ['migrates the store to the model', ...losses].join('; '),
              ...(losses.length > 0 && { risk: 'data-loss' as const }),
            },
          ]
        : []),
    ],
  }
}

/** Returns true if a feature of the first model is missing in the second or has other fields or a search. */
function changesTables(before: Model, after: Model): boolean {
  return before.features.some((old) => {
    const next = after.features.find(({ entity }) => entity.pascal === old.entity.pascal)
    return next === undefined || !featureEquals(old, next)
  })
}

/** Returns the previous model with the User that its schema has: the project may be of an earlier version of strata. */
function withEmittedUser({ before, readFile }: StoreChange): Model {
  const schema = readFile(basePath('prisma/schema.prisma')) ?? readFile('prisma/schema.prisma')
  return withFormerUser(before, schema)
}

function withFormerUser(before: Model, schema: string | undefined): Model {
  const isFormer = schema !== undefined && !/^model User \{[^}]*\btokenVersion\b/m.test(schema)
  return before.auth && isFormer ? { ...before, formerUser: true } : before
}

/** Lists the folders of generated code that only the previous query library has. */
function unusedFolders(before: Store, after: Store): readonly string[] {
  return before.folders.filter((folder) => !after.folders.includes(folder))
}

function deleteFiles({ listFiles, readFile }: StoreChange, folder: string, reason: string) {
  return listFiles(folder).flatMap((path) => deleteActions(readFile, path, reason))
}

/**
 * Replaces the migrations of another store kind, which keeps a copy: by the kept ones of the new kind and a migration of the
 * changes since then, or by one migration for the whole model.
 */
async function replaceMigrations(
  { before, after, readFile, listFiles }: StoreChange,
  store: Store,
  allowDestructive: boolean,
): Promise<readonly Action[]> {
  const emitted = Object.keys({ ...storeOf(before).files(before), ...store.files(after) })
  const old = storeOf(before)
    .folders.flatMap((folder) => listFiles(folder))
    .filter((path) => !emitted.includes(path))
  const kept = keptMigrations(after, { readFile, listFiles })
  const files = new Map(kept?.files)
  const restored = {
    readFile: (path: string) => files.get(path) ?? readFile(path),
    listFolders: (folder: string) => foldersIn(files.keys(), folder),
  }
  const former = kept ? readRetained((path) => files.get(path)) : {}
  const retained = prunedRetained(after, former)
  const from = kept
    ? withRetained(withFormerUser(kept.model, kept.schema), former)
    : { ...after, auth: false, features: [] }
  const database = withRetained(after, retained)
  const next = await store.migration(from, database, restored)
  if (kept && next) {
    refuseLosses(allLosses(next.destructive, narrowings(from, database)), allowDestructive)
  }
  files.delete(retainedPath)
  for (const action of retainedActions(() => undefined, retained)) {
    if (action.kind === 'create') files.set(action.path, action.after)
  }
  if (next) files.set(next.path, next.text)
  return [
    ...[...files].flatMap(([path, text]) =>
      writeActions(readFile, path, text, 'migrates the store to the model'),
    ),
    ...old
      .filter((path) => !files.has(path))
      .flatMap((path) => deleteActions(readFile, path, `belongs to ${before.database}`)),
    ...withoutRepeats([
      ...keepMigrations(before, after, old, { readFile, listFiles }),
      ...keepSchema(before, after, { readFile }),
    ]),
    ...(kept?.removal ?? []),
  ]
}

/** Keeps the first action of each path. */
function withoutRepeats(actions: readonly Action[]): readonly Action[] {
  return actions.filter(({ path }, i) => actions.findIndex((one) => one.path === path) === i)
}

/** Lists the names of the folders in a folder of these paths. */
function foldersIn(paths: Iterable<string>, folder: string): readonly string[] {
  const inside = [...paths].filter((path) => path.startsWith(`${folder}/`))
  const parts = inside.map((path) => path.slice(folder.length + 1).split('/'))
  return [...new Set(parts.flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])))]
}

function refuseLosses(losses: readonly string[], allowDestructive: boolean): void {
  if (losses.length === 0 || allowDestructive) return
  throw new StrataError(
    'conflict',
    'stored data would be lost or no longer fit, so nothing was changed: to accept this, pass --allow-destructive',
    { details: losses },
  )
}

/** Concatenates both lists. A loss that the store reports replaces the narrowing of the same field. */
function allLosses(storeLosses: readonly string[], narrowed: readonly string[]): readonly string[] {
  const field = (sentence: string) => sentence.split(' ', 1)[0]
  const fields = new Set(storeLosses.map(field))
  return [...storeLosses, ...narrowed.filter((sentence) => !fields.has(field(sentence)))]
}
