import type { CopiedCollection } from '../../../../generator/copy/collections.ts'
import type { CopiedRecord } from '../../../../generator/copy/copied-record.ts'
import type { WorkerSettings } from './messages.ts'
import { importFrom } from './opened-store.ts'

/** Which records to read: at most `limit` records after an id, or the records with these ids. */
export type Section =
  | { readonly after: number; readonly limit: number }
  | { readonly ids: readonly number[] }

/** Values of the wire by field, in snake_case. */
export type Values = Readonly<Record<string, unknown>>

/** The tables of a relational store, read and written by the project's query library. */
export interface Tables {
  /** Returns records sorted by id, with their lists. */
  find(collection: CopiedCollection, section: Section): Promise<CopiedRecord[]>
  /** Returns the next id after an id, without the other columns of its record. */
  nextId(collection: CopiedCollection, after: number): Promise<number | undefined>
  /** Inserts records without their lists. All or none. */
  insert(collection: CopiedCollection, records: readonly CopiedRecord[]): Promise<void>
  /** Changes columns and lists of a record. All or none. */
  update(collection: CopiedCollection, id: number, changes: Values): Promise<void>
  remove(collection: CopiedCollection, ids: readonly number[]): Promise<void>
  readonly sql: Sql
  close(): Promise<void>
}

/** Statements in the dialect of the store. */
export interface Sql {
  query(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]>
  /** Returns the number of changed rows. */
  execute(sql: string, ...values: unknown[]): Promise<number>
}

/** The project has the function that folds texts for the search only if a text is searched. */
export async function foldOf({
  root,
  collections,
}: WorkerSettings): Promise<(text: string) => string> {
  const isSearched = collections.some(({ fields }) => fields.some(({ folded }) => folded))
  if (!isSearched) return (text) => text
  const fold = { path: 'src/domain/fold-text.ts', name: 'foldText' } as const
  const module = await importFrom<{ foldText: (text: string) => string }>(root, fold.path, [
    fold.name,
  ])
  return module.foldText
}
