import { createHash } from 'node:crypto'

/**
 * A record on its way from one store to another, with the names and the JSON forms of the wire: times in ISO 8601, days
 * as `2026-01-31`, decimals as text with all their digits, many-to-many lists as sorted ids. A missing value is null.
 */
export interface CopiedRecord {
  readonly id: number
  readonly [name: string]: unknown
}

/** Returns JSON with sorted keys: equal values have equal texts, whatever order a store gives keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isObject(each) ? sorted(each) : each))
}

/** Returns the hash of a batch of records, over their canonical JSON. */
export function hashOf(records: readonly CopiedRecord[]): string {
  return createHash('sha256').update(canonicalJson(records)).digest('hex')
}

/**
 * Names the first record that two batches, sorted by id, do not have in common, and how it differs. Undefined if the
 * batches are equal.
 */
export function differenceOf(
  source: readonly CopiedRecord[],
  target: readonly CopiedRecord[],
): string | undefined {
  if (hashOf(source) === hashOf(target)) return undefined
  for (const [at, record] of source.entries()) {
    const other = target[at]
    if (!other || other.id > record.id) return `record ${record.id} is missing in the new store`
    if (other.id < record.id) return `record ${other.id} is in the new store only`
    const names = differingNames(record, other)
    if (names.length > 0) return `record ${record.id} differs in ${names.join(', ')}`
  }
  return `record ${target[source.length]?.id} is in the new store only`
}

/** Returns the names of the values that are not the same in two records. */
export function differingNames(one: CopiedRecord, other: CopiedRecord): readonly string[] {
  return Object.keys({ ...one, ...other }).filter(
    (name) => canonicalJson(one[name] ?? null) !== canonicalJson(other[name] ?? null),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
}
