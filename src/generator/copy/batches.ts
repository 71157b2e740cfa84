import type { CopiedRecord } from './copied-record.ts'
import type { CopyStore } from './copy-store.ts'

/** The number of records in one batch. */
export const batchSize = 200

/** Reads the records of a collection after an id, sorted by id. */
export async function* batches(
  store: Pick<CopyStore, 'read'>,
  name: string,
  after: number,
): AsyncGenerator<readonly CopiedRecord[], undefined> {
  let last = after
  for (;;) {
    const records = await store.read(name, last, batchSize)
    const next = records.at(-1)?.id
    if (next === undefined) return
    if (records.some(({ id }) => id <= last))
      throw new Error(`${name}: a batch after the id ${last} has a record that is not after it`)
    yield records
    if (records.length < batchSize) return
    last = next
  }
}
