import { StrataError } from '../errors.ts'
import { narrowings } from '../migrate/narrowings.ts'
import type { Model } from '../model/model.ts'
import type { Store } from '../stores/store.ts'
import { storeOf } from '../stores/stores.ts'
import { drop, put, type ReadFile } from './actions.ts'
import type { Action } from './plan.ts'

export interface StoreChange {
  readonly before: Model
  readonly after: Model
  readonly readFile: ReadFile
  /** The names of the folders in a folder of the project; none where it is missing. */
  readonly listFolders: (path: string) => readonly string[]
  /** The paths of all files below a folder of the project; none where it is missing. */
  readonly listFiles: (path: string) => readonly string[]
}

/**
 * What brings the store to the model, where that is a file. Throws StrataError 'conflict' where stored data would be
 * lost and nobody said that it may be.
 */
export function migrationTo(change: StoreChange, allowDestructive: boolean): readonly Action[] {
  const { before, after, listFolders } = change
  const store = storeOf(after.database)
  if (before.database !== after.database) return beginAnew(change, store)
  const migration = store.migration(before, after, listFolders)
  const told = migration?.destructive ?? store.losses?.(before, after) ?? []
  const losses = lossesOf(told, narrowings(before, after))
  if (losses.length > 0 && !allowDestructive) {
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

/** Migrations speak one store's language: another kind has a first one, for all that there is. */
function beginAnew({ before, after, readFile, listFiles }: StoreChange, store: Store) {
  const nothing: Model = { ...after, auth: false, features: [] }
  const first = store.migration(nothing, after, () => [])
  const emitted = Object.keys({ ...storeOf(before.database).files(before), ...store.files(after) })
  const old = storeOf(before.database).folders.flatMap((folder) => listFiles(folder))
  return [
    ...(first ? put(readFile, first.path, first.text, 'brings the store to the model') : []),
    ...old
      .filter((path) => path !== first?.path && !emitted.includes(path))
      .flatMap((path) => drop(readFile, path, `of ${before.database} alone`)),
  ]
}

/** What the migration tells of a field says it all. */
function lossesOf(told: readonly string[], narrowed: readonly string[]): readonly string[] {
  const field = (sentence: string) => sentence.split(' ', 1)[0]
  const fields = new Set(told.map(field))
  return [...told, ...narrowed.filter((sentence) => !fields.has(field(sentence)))]
}
