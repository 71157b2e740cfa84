import { StrataError } from '../errors.ts'
import { narrowings } from '../migrate/narrowings.ts'
import type { Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { deleteActions, type ReadFile, writeActions } from './actions.ts'
import { basePath } from './base.ts'
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
  const store = storeOf(after.database)
  if (before.database !== after.database) return replaceMigrations(change, store)
  const migration = await store.migration(before, after, change)
  const storeLosses = migration?.destructive ?? store.losses?.(before, after) ?? []
  const losses = allLosses(storeLosses, narrowings(before, after))
  if (losses.length > 0 && !allowDestructive) {
    throw new StrataError(
      'conflict',
      'stored data would be lost or no longer fit, so nothing was changed: to accept this, pass --allow-destructive',
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
      reason: 'migrates the store to the model',
      ...(losses.length > 0 && { risk: 'data-loss' as const }),
    },
  ]
}

/** Returns the previous model with the User that its schema has: the project may be of an earlier version of strata. */
function withEmittedUser({ before, readFile }: StoreChange): Model {
  const schema = readFile(basePath('prisma/schema.prisma')) ?? readFile('prisma/schema.prisma')
  const isFormer = schema !== undefined && !/^model User \{[^}]*\btokenVersion\b/m.test(schema)
  return before.auth && isFormer ? { ...before, formerUser: true } : before
}

/** Replaces all migrations by one for the whole model: another store kind can't run the old ones. */
async function replaceMigrations(
  { before, after, readFile, listFiles }: StoreChange,
  store: Store,
): Promise<readonly Action[]> {
  const empty: Model = { ...after, auth: false, features: [] }
  const first = await store.migration(empty, after, { listFolders: () => [], readFile })
  const emitted = Object.keys({ ...storeOf(before.database).files(before), ...store.files(after) })
  const old = storeOf(before.database).folders.flatMap((folder) => listFiles(folder))
  return [
    ...(first
      ? writeActions(readFile, first.path, first.text, 'migrates the store to the model')
      : []),
    ...old
      .filter((path) => path !== first?.path && !emitted.includes(path))
      .flatMap((path) => deleteActions(readFile, path, `belongs to ${before.database}`)),
  ]
}

/** Concatenates both lists. A loss that the store reports replaces the narrowing of the same field. */
function allLosses(storeLosses: readonly string[], narrowed: readonly string[]): readonly string[] {
  const field = (sentence: string) => sentence.split(' ', 1)[0]
  const fields = new Set(storeLosses.map(field))
  return [...storeLosses, ...narrowed.filter((sentence) => !fields.has(field(sentence)))]
}
