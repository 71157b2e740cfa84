import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../domain/app-error.js'
import { uniqueGroups } from './collection.js'
import { createDocuments } from './documents.js'
import { retryConflicts } from './requests.js'
import { schema } from './schema.js'
import type { Store } from './store.js'
import type { Fields, StoredDocument, Write } from './writes.js'

/** An open claim of this age is stale: its process ended before it wrote the record. */
const staleClaim = { afterMs: 5_000, pollMs: 20 }

/** The server refuses longer ids. */
const maxIdBytes = 512

/** The value of a unique field, or the values of fields that are unique together. */
export interface Value {
  names: readonly string[]
  /** The value as text. Several values as a JSON list of texts. */
  value: string
}

/** A claim of a value for a record. */
interface Claim extends StoredDocument {
  /**
   * Whether a previous write of the same record made the same claim, and may still need the claim.
   */
  isShared?: boolean
}

/**
 * Creates the functions that keep the values of unique fields unique. The index `_unique` has a document for each
 * value, a claim: its id is the value, and `owner` is the id of the record with that value.
 *
 * A write claims the record's values, writes the record, and then settles the claims. A write that finds a claim of
 * another record reads that record:
 * - The record has the value: throw AppError `conflict`.
 * - The record lacks the value, and the claim is settled: the claim is stale, take it over.
 * - The record lacks the value, and the claim is open: its write may be in progress, so wait. Take the claim over
 *   after 5 seconds. If the other write still runs, it fails when it settles the claim.
 */
export function createUniqueValues(
  { client, indexOf }: Pick<Store, 'client' | 'indexOf'>,
  collection: string,
) {
  const claims = createDocuments(client, indexOf('_unique'))
  const records = createDocuments(client, indexOf(collection))
  const groups = uniqueGroups(schema[collection] ?? { fields: {} })

  function valuesOf(fields: Fields): Value[] {
    return groups.flatMap((names) => {
      const value = textOf(fields, names)
      return value === undefined ? [] : [{ names, value }]
    })
  }

  /** Claims all values. Throws AppError `conflict`, and claims none, if a value is taken. */
  async function claim(values: readonly Value[], owner: number): Promise<Claim[]> {
    const claimed: Claim[] = []
    try {
      for (const value of values) claimed.push(await claimOne(value, owner))
      return claimed
    } catch (error) {
      if (error instanceof AppError && error.kind === 'conflict') await release(claimed)
      throw error
    }
  }

  async function claimOne(value: Value, owner: number): Promise<Claim> {
    const id = idOf(value)
    const fields = { owner, settled: false }
    const create = async () => (await claims.write([{ kind: 'create', id, fields }]))[0]
    const first = await create()
    if (first) return first
    return retryConflicts(async () => {
      const found = await findReplaceable(value, owner)
      if (!found) return create()
      const [written] = await claims.write([{ kind: 'replace', stored: found, fields }])
      return written && { ...written, isShared: found.fields.owner === owner }
    })
  }

  /**
   * Returns the claim that `owner` may take over, or undefined if nobody has claimed the value.
   * Throws AppError `conflict` if the value is taken.
   */
  async function findReplaceable(value: Value, owner: number): Promise<StoredDocument | undefined> {
    const deadline = performance.now() + staleClaim.afterMs
    let first: StoredDocument | undefined
    for (;;) {
      const [found] = await claims.get([idOf(value)])
      if (!found || found.fields.owner === owner) return found
      const [record] = await records.get([String(found.fields.owner)], {
        _source_includes: [...value.names],
      })
      if (record && has(record.fields, value))
        throw new AppError('conflict', `${value.names.join(' + ')} is already taken`)
      if (found.fields.settled) return found
      first ??= found
      // If the claim has changed since its read, the replacement fails and the caller retries.
      if (first.seqNo !== found.seqNo || performance.now() > deadline) return first
      await pause(staleClaim.pollMs)
    }
  }

  /** Settles the claims of a written record. Returns false if another record has taken over one of the claims. */
  async function settle(values: readonly Value[], owner: number): Promise<boolean> {
    const fields = { owner, settled: true }
    for (const value of values) {
      const id = idOf(value)
      const { isOwn } = await retryConflicts(async () => {
        const [stored] = await claims.get([id])
        if (stored && stored.fields.owner !== owner) return { isOwn: false }
        const write = stored
          ? { kind: 'replace' as const, stored, fields }
          : { kind: 'create' as const, id, fields }
        const [written] = await claims.write([write])
        return written && { isOwn: true }
      })
      if (!isOwn) return false
    }
    return true
  }

  /** Returns the claims of the values that belong to these records. Call it before the write that drops the values. */
  async function claimsOf(
    values: readonly Value[],
    owners: readonly number[],
  ): Promise<StoredDocument[]> {
    const found = await claims.get(values.map(idOf))
    return found.filter(({ fields }) => owners.some((owner) => owner === fields.owner))
  }

  /** Releases claims, except claims that another write has changed since. */
  async function release(unused: readonly Claim[]): Promise<void> {
    await claims.write(unused.map(toRelease))
  }

  /** Returns the ids of the records that have claimed one of the values. */
  async function ownersOf(values: readonly Value[]): Promise<number[]> {
    const found = await claims.get(values.map(idOf))
    return found.map(({ fields }) => fields.owner as number)
  }

  /** Returns the document id of a value's claim. A long value is hashed. */
  function idOf({ names, value }: Value): string {
    const place = `${collection}.${names.join('+')}`
    const id = `${place}=${value}`
    if (Buffer.byteLength(id) <= maxIdBytes) return id
    return `${place}~${createHash('sha256').update(value).digest('hex')}`
  }

  return { groups, valuesOf, claim, settle, claimsOf, release, ownersOf }
}

/**
 * Returns the write that releases a claim. Settles a shared claim instead: a settled claim is stale
 * if its record lacks the value.
 */
function toRelease({ isShared, ...stored }: Claim): Write {
  if (!isShared) return { kind: 'remove', stored }
  return { kind: 'replace', stored, fields: { ...stored.fields, settled: true } }
}

export function has(fields: Fields, { names, value }: Value): boolean {
  return textOf(fields, names) === value
}

/** Returns undefined if one of the fields has no value: NULL is not unique. */
function textOf(fields: Fields, names: readonly string[]): string | undefined {
  const texts = names.flatMap((name) => toText(fields[name]) ?? [])
  if (texts.length < names.length) return undefined
  return texts.length > 1 ? JSON.stringify(texts) : texts[0]
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  return value instanceof Date ? value.toISOString() : String(value)
}
