import { setTimeout as pause } from 'node:timers/promises'
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { AppError } from '../domain/app-error.js'
import { putAction, recordAction } from './actions.js'
import type { Collection } from './collection.js'
import { changesOf, type Entry, entriesOf, type PreviousEntry } from './entries.js'
import { getItems, type Table } from './get-items.js'
import { bytesOf, type Item, isTooLarge } from './item.js'
import { recordKey } from './keys.js'
import { reasonsOf } from './outage.js'
import type { WithLock } from './semaphore.js'

/** The new version of a record. Without `after`, the record is removed. */
interface Decision {
  after?: Item
}

/** Maximum attempts of a write that conflicts with other processes. */
const maxTries = 100

/** A table with a lock for each record, so that writes of this process do not conflict with each other. */
export interface RecordTable extends Table {
  withLock: WithLock
  /**
   * Whether transactions return before their commit, as in DynamoDB Local. A read of the record
   * waits for the commit.
   */
  commitsLate?: boolean
}

/**
 * Creates the functions for the records of a collection. One transaction writes a record and its
 * index entries. `entriesBefore` returns the index entries of a record's previous version, if the
 * collection had other indexes then.
 */
export function createRecords(
  store: RecordTable,
  name: string,
  collection: Collection,
  entriesBefore = (record: Item): readonly PreviousEntry[] => entriesOf(name, collection, record),
) {
  const { client, table } = store

  /** Returns the records with these ids, sorted by id. Missing ids are left out. */
  async function read(ids: readonly number[], names?: readonly string[]): Promise<Item[]> {
    const keys = [...new Set(ids)].map((id) => recordKey(name, id))
    const found = await getItems(store, keys, names && [...new Set(['id', ...names])])
    return found.sort((a, b) => Number(a.id) - Number(b.id))
  }

  /** Throws AppError `conflict` if a unique value is taken, `invalid` if the record is too large. */
  async function insert(record: Item): Promise<void> {
    const isNew = await write(undefined, record)
    if (!isNew) throw new Error(`record ${record.id} of ${name} already exists`)
  }

  /**
   * Calls `decide` with a record, writes the new version and returns the decision. Repeats both
   * calls if another write was first. Returns undefined if the record does not exist or `decide`
   * returns undefined. Throws like `insert`.
   */
  async function change<D extends Decision>(
    id: number,
    decide: (record: Item) => D | undefined,
  ): Promise<D | undefined> {
    return store.withLock(recordKey(name, id).PK, () => changeLocked(id, decide))
  }

  async function changeLocked<D extends Decision>(
    id: number,
    decide: (record: Item) => D | undefined,
  ): Promise<D | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const [record] = await read([id])
      const decision = record && decide(record)
      if (!decision) return undefined
      if (await write(record, decision.after)) return decision
      await pause(Math.random() * Math.min(tries * 5, 100))
    }
    throw new AppError('unavailable', 'too many requests write the same record, try again')
  }

  /**
   * Writes a record and its index entries. Returns false if the record has changed since it was
   * read.
   */
  async function write(old: Item | undefined, record: Item | undefined): Promise<boolean> {
    const after = record ? entriesOf(name, collection, record) : []
    if (record) assertFits(record, after)
    const { removed, put } = changesOf(old ? entriesBefore(old) : [], after)
    const TransactItems = [
      recordAction(table, name, old, record),
      ...removed.map(({ key }) => ({ Delete: { TableName: table, Key: key } })),
      ...put.map((entry) => putAction(table, entry)),
    ]
    try {
      await client.send(new TransactWriteCommand({ TransactItems }))
    } catch (error) {
      const hasFailed = reasonsOf(error).map((code) => code === 'ConditionalCheckFailed')
      if (hasFailed[0]) return false
      const taken = put.find((_, at) => hasFailed[1 + removed.length + at])
      if (!taken) throw error
      throw new AppError('conflict', `${taken.unique} is already taken`, { cause: error })
    }
    if (store.commitsLate) await read([Number({ ...old, ...record }.id)], [])
    return true
  }

  return { read, insert, change }
}

/** Throws AppError `invalid`, with the longest field, if an item is too large for DynamoDB. */
function assertFits(record: Item, entries: readonly Entry[]): void {
  if (![record, ...entries.map(({ attributes }) => attributes)].some(isTooLarge)) return
  const [[path] = ['']] = Object.entries(record).sort(([, a], [, b]) => bytesOf(b) - bytesOf(a))
  const message = 'is too long: a record has at most 400 KB'
  throw new AppError('invalid', 'validation failed', { details: [{ path, message }] })
}
