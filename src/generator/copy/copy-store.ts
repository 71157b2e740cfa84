import type { CopiedRecord } from './copied-record.ts'

/** A store that takes part in a copy. Collections are named as in `CopiedCollection`. */
export interface CopyStore {
  /** Returns at most `limit` records with ids above `after`, sorted by id. Fewer than `limit` records end the collection. */
  read(collection: string, after: number, limit: number): Promise<readonly CopiedRecord[]>
  /** Inserts missing records and changes records that differ, without the fields in `without`. Idempotent. */
  write(
    collection: string,
    records: readonly CopiedRecord[],
    without: readonly string[],
  ): Promise<void>
  remove(collection: string, ids: readonly number[]): Promise<void>
  /** Returns the greatest id that the collection has ever used, 0 for a new collection. */
  lastId(collection: string): Promise<number>
  /** Lets the ids of new records begin above `id`. Idempotent; never lowers them. */
  raiseLastId(collection: string, id: number): Promise<void>
}

/** The number of records of a collection that this run has handled. `linked` is the second pass. */
export interface CopyProgress {
  readonly step: 'checked' | 'copied' | 'linked' | 'compared'
  readonly collection: string
  readonly count: number
  readonly isComplete: boolean
}
