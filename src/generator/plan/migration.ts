import { StrataError } from '../errors.ts'
import { narrowings } from '../migrate/narrowings.ts'
import type { Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { deleteActions, type ReadFile, writeActions } from './actions.ts'
import { basePath } from './base.ts'
import { keepMigrations, keptMigrations } from './kept-migrations.ts'
import type { Action } from './plan.ts'

export interface StoreChange {
  readonly before: Model
  readonly after: Model
  readonly readFile: ReadFile
  /** Lists the folders in a folder of the project; empty if the folder is missing. */
  readonly listFolders: (path: string) => readonly string[]
  /** Lists the paths of all files below a folder of the project; empty if the folder is missing. */
  readonly listFiles: (path: string) => readonly string[]
}

/**
 * Returns the actions that migrate the store to the new model. A store without migrations needs none. Throws
 * StrataError 'conflict' if stored data would be lost and `allowDestructive` is false.
 */
export async function migrationTo(
  change: StoreChange,
  allowDestructive: boolean,
): Promise<readonly Action[]> {
  const { after } = change
  const before = withEmittedUser(change)
  const store = storeOf(after)
  if (before.database !== after.database) return replaceMigrations(change, store, allowDestructive)
  const migration = await store.migration(before, after, change)
  const storeLosses = migration?.destructive ?? store.losses?.(before, after) ?? []
  const losses = allLosses(storeLosses, narrowings(before, after))
  refuseLosses(losses, allowDestructive)
  const unused = unusedFolders(storeOf(before), store).flatMap((folder) =>
    deleteFiles(change, folder, 'the queries no longer need this file'),
  )
  if (!migration) return unused
  const { path, text } = migration
  return [
    ...unused,
    {
      kind: 'create',
      path,
      after: text,
      reason: 'migrates the store to the model',
      ...(losses.length > 0 && { risk: 'data-loss' as const }),
    },
  ]
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
  const from = kept
    ? withFormerUser(kept.model, kept.schema)
    : { ...after, auth: false, features: [] }
  const next = await store.migration(from, after, restored)
  if (kept && next) {
    refuseLosses(allLosses(next.destructive, narrowings(from, after)), allowDestructive)
  }
  if (next) files.set(next.path, next.text)
  return [
    ...[...files].flatMap(([path, text]) =>
      writeActions(readFile, path, text, 'migrates the store to the model'),
    ),
    ...old
      .filter((path) => !files.has(path))
      .flatMap((path) => deleteActions(readFile, path, `belongs to ${before.database}`)),
    ...keepMigrations(before, after, old, { readFile, listFiles }),
    ...(kept?.removal ?? []),
  ]
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
