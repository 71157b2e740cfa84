import { StrataError } from '../errors.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { batches, batchSize } from './batches.ts'
import { checkRecords } from './check-records.ts'
import type { CopiedCollection } from './collections.ts'
import { differenceOf } from './copied-record.ts'
import type { CopyProgress, CopyStore } from './copy-store.ts'

/** The progress of a copy, which a later run continues from. */
export interface CopyState {
  /** The last copied id of each collection; `<collection> links` for the second pass. */
  readonly done: Readonly<Record<string, number>>
}

export interface Copy {
  readonly collections: readonly CopiedCollection[]
  readonly source: CopyStore
  readonly target: CopyStore
  /** The kind of the target. */
  readonly kind: StoreKind
  /** The state of an interrupted run. Undefined for a new copy, which needs an empty target. */
  readonly state: CopyState | undefined
  readonly saveState: (state: CopyState) => void
  /** Is called after each batch, and at the end of each collection. */
  readonly report: (progress: CopyProgress) => void
}

/**
 * Copies all records to the target, and compares the contents of both stores. Returns the number of records by
 * collection. Throws StrataError 'conflict' if the target of a new copy has records or can't hold a value, 'failure' if the
 * stores differ at the end. Reads the source only.
 */
export async function copyRecords(copy: Copy): Promise<ReadonlyMap<string, number>> {
  const { collections, state, saveState } = copy
  if (!state) await assertEmpty(copy)
  await checkRecords(copy)
  saveState(state ?? { done: {} })
  const progress = createProgress(copy)
  for (const each of collections) await copyBatches(copy, each, progress, 'copied')
  for (const each of collections.filter(({ held }) => held.length > 0))
    await copyBatches(copy, each, progress, 'linked')
  // Records that the source has lost since an interrupted run. A record goes before the records that it refers to.
  if (state) for (const each of collections.toReversed()) await removeExtra(copy, each)
  const counts = new Map<string, number>()
  for (const each of collections) {
    const { count, lastId } = await compare(copy, each)
    counts.set(each.name, count)
    // Ids of removed records stay unused if the old store remembers them.
    await copy.target.raiseLastId(each.name, Math.max(lastId, await copy.source.lastId(each.name)))
  }
  return counts
}

async function assertEmpty({ collections, target }: Copy): Promise<void> {
  for (const { name } of collections) {
    if ((await target.read(name, 0, 1)).length === 0) continue
    throw new StrataError(
      'conflict',
      `the new store has records in ${name}, and a copy needs an empty store: choose another with --to, or empty it`,
    )
  }
}

type Progress = ReturnType<typeof createProgress>

function createProgress({ state, saveState }: Copy) {
  const done: Record<string, number> = { ...state?.done }
  return {
    lastOf: (key: string) => done[key] ?? 0,
    advance(key: string, id: number) {
      done[key] = id
      saveState({ done })
    },
  }
}

async function copyBatches(
  { source, target, report }: Copy,
  { name, held }: CopiedCollection,
  progress: Progress,
  step: 'copied' | 'linked',
): Promise<void> {
  const key = step === 'copied' ? name : `${name} links`
  let count = 0
  for await (const records of batches(source, name, progress.lastOf(key))) {
    await target.write(name, records, step === 'copied' ? held : [])
    progress.advance(key, records.at(-1)?.id ?? 0)
    count += records.length
    report({ step, collection: name, count, isComplete: false })
  }
  report({ step, collection: name, count, isComplete: true })
}

async function removeExtra({ source, target }: Copy, { name }: CopiedCollection): Promise<void> {
  const wanted = new Set<number>()
  for await (const records of batches(source, name, 0)) for (const { id } of records) wanted.add(id)
  const extra: number[] = []
  for await (const records of batches(target, name, 0))
    extra.push(...records.flatMap(({ id }) => (wanted.has(id) ? [] : [id])))
  for (let from = 0; from < extra.length; from += batchSize)
    await target.remove(name, extra.slice(from, from + batchSize))
}

/** Returns the number of records and the greatest id. Throws StrataError 'failure' with the first difference. */
async function compare(
  { source, target, report, saveState }: Copy,
  { name }: CopiedCollection,
): Promise<{ count: number; lastId: number }> {
  let count = 0
  let lastId = 0
  const others = batches(target, name, 0)
  for await (const records of batches(source, name, 0)) {
    const found = (await others.next()).value ?? []
    assertEqual(differenceOf(records, found))
    count += records.length
    lastId = records.at(-1)?.id ?? lastId
    report({ step: 'compared', collection: name, count, isComplete: false })
  }
  assertEqual(differenceOf([], (await others.next()).value ?? []))
  report({ step: 'compared', collection: name, count, isComplete: true })
  return { count, lastId }

  function assertEqual(difference: string | undefined): void {
    if (difference === undefined) return
    // The next run begins with the first record again, and mends each difference.
    saveState({ done: {} })
    throw new StrataError(
      'failure',
      `the new store is not equal to the old one: ${name}: ${difference}`,
      {
        details: [
          'A write during the copy can be the cause: stop the app, then run the same command again.',
        ],
      },
    )
  }
}
