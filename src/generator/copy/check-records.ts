import { StrataError } from '../errors.ts'
import type { StoreKind } from '../model/store-kinds.ts'
import { batches } from './batches.ts'
import type { CopiedCollection } from './collections.ts'
import type { CopiedRecord } from './copied-record.ts'
import type { CopyProgress, CopyStore } from './copy-store.ts'
import { type Fault, faultsOf, relationalKinds } from './portable.ts'

export interface RecordCheck {
  readonly collections: readonly CopiedCollection[]
  readonly source: Pick<CopyStore, 'read'>
  /** The kind of the new store. */
  readonly kind: StoreKind
  readonly report: (progress: CopyProgress) => void
}

/** Messages name this number of values, and count the others. */
const maxNamed = 20

interface Dangling {
  readonly collection: string
  readonly id: number
  readonly field: string
  readonly target: string
  readonly value: number
}

/**
 * Reads all records of the old store. Throws StrataError 'conflict' that names records and fields if the new store can't
 * hold all values.
 */
export async function checkRecords({
  collections,
  source,
  kind,
  report,
}: RecordCheck): Promise<void> {
  const named: string[] = []
  let total = 0
  const add = (collection: string, id: number, { field, reason }: Fault) => {
    total += 1
    if (named.length < maxNamed) named.push(`${collection} ${id}: ${field} ${reason}`)
  }
  const references = createReferences(collections, kind)
  for (const collection of collections) {
    const { name } = collection
    let count = 0
    for await (const records of batches(source, name, 0)) {
      for (const record of records) {
        for (const fault of faultsOf(collection, record, kind)) add(name, record.id, fault)
        references.add(collection, record)
      }
      count += records.length
      report({ step: 'checked', collection: name, count, isComplete: false })
    }
    report({ step: 'checked', collection: name, count, isComplete: true })
  }
  for (const { collection, id, field, target, value } of references.dangling())
    add(collection, id, { field, reason: `refers to ${target} ${value}, which does not exist` })
  if (total === 0) return
  const values = total === 1 ? '1 value' : `${total} values`
  throw new StrataError('conflict', `${kind} can't hold ${values}, so nothing was copied`, {
    details: [
      ...named,
      ...(total > named.length ? [`… and ${total - named.length} more`] : []),
      'Correct these records in the old store, then run the same command again.',
    ],
  })
}

/** Finds foreign keys without a target. Document stores hold them, relational stores refuse them. */
function createReferences(collections: readonly CopiedCollection[], kind: StoreKind) {
  const ids = new Map<string, Set<number>>()
  let open: Dangling[] = []
  if (relationalKinds.has(kind))
    for (const { fields } of collections)
      for (const { references } of fields) if (references) ids.set(references, new Set())
  const isOpen = ({ target, value }: Dangling) => !ids.get(target)?.has(value)
  return {
    add({ name, fields }: CopiedCollection, record: CopiedRecord): void {
      ids.get(name)?.add(record.id)
      for (const { name: field, references: target } of fields) {
        const value = record[field]
        if (target === undefined || typeof value !== 'number' || !ids.has(target)) continue
        const reference = { collection: name, id: record.id, field, target, value }
        if (isOpen(reference)) open.push(reference)
      }
    },
    dangling(): readonly Dangling[] {
      open = open.filter(isOpen)
      return open
    },
  }
}
