import { type DriverAdapterError, isDriverAdapterError } from '@prisma/driver-adapter-utils'
import { AppError } from '../domain/app-error.js'
import { foldText } from '../domain/fold-text.js'
import { Prisma } from '../generated/prisma/client.js'
import type { Page } from './repository.js'

/** Newest first; the id decides between records of one instant. */
export const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

/** Prisma counts rows in 32 bits: a page beyond them is as empty as the last one. */
const lastPage = Math.floor(2 ** 31 / 100)

export function skipTake({ page, pageSize }: Page) {
  return { skip: (Math.min(page, lastPage) - 1) * pageSize, take: pageSize }
}

/** Throws AppError for a record that is referred to and is not there. */
type AssertReferences = () => Promise<void>

/**
 * Awaits a query. Throws AppError `conflict` or `unavailable` for what a caller can meet, or what
 * `assertReferences` throws once the store has refused; `unique` are the columns that can be taken.
 */
export async function run<T>(
  query: PromiseLike<T>,
  unique: readonly string[] = [],
  assertReferences?: AssertReferences,
): Promise<T> {
  try {
    return await query
  } catch (error) {
    if (isMissing(error)) await assertReferences?.()
    throw toAppError(error, unique)
  }
}

/** Like run, for a query that needs its record: undefined where there is none. */
export async function runOnExisting<T>(
  query: PromiseLike<T>,
  unique: readonly string[] = [],
  assertReferences?: AssertReferences,
): Promise<T | undefined> {
  try {
    return await query
  } catch (error) {
    if (isMissing(error)) await assertReferences?.()
    if (codeOf(error) === 'P2025') return undefined
    throw toAppError(error, unique)
  }
}

/** Throws AppError `not-found` where a record that is referred to is not there. */
export async function assertFound(
  words: string,
  id: number | null | undefined,
  count: (where: { id: number }) => PromiseLike<number>,
): Promise<void> {
  if (typeof id !== 'number' || (await run(count({ id }))) > 0) return
  throw new AppError('not-found', `${words} not found`)
}

/** Throws AppError `invalid`, which names the keys that no record has. */
export async function assertKnown<Key>(
  path: string,
  keys: readonly Key[] = [],
  findMany: (keys: Key[]) => PromiseLike<Record<string, Key>[]>,
): Promise<void> {
  const found = new Set((await run(findMany([...keys]))).flatMap((record) => Object.values(record)))
  const unknown = keys.filter((key) => !found.has(key))
  if (unknown.length === 0) return
  const message = `names unknown records: ${unknown.join(', ')}`
  throw new AppError('invalid', 'validation failed', { details: [{ path, message }] })
}

/** A text as its column for searching keeps it; what is left out stays so. */
export function toSearch<T extends string | null | undefined>(text: T) {
  return (text === undefined ? undefined : foldText(text ?? '')) as T extends undefined
    ? undefined
    : string
}

/** The condition of such a column, where there is something to search for. */
export function containing(search: string | undefined) {
  return search === undefined ? undefined : { contains: foldText(search) }
}

/** A day as the store keeps it: midnight UTC. What is null or left out stays so. */
export function toDay<T extends string | null | undefined>(day: T) {
  return (day && new Date(day)) as T extends string ? Date : T
}

export function fromDay(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** JSON as the client sends it: by itself, it would keep sixteen digits of a number. What is left out stays so. */
export function toJson(value: unknown) {
  const json = { toJSON: () => ({ $type: 'Json', value: JSON.stringify(value) }) }
  return (value === undefined ? undefined : json) as Prisma.InputJsonValue
}

/** Like toJson, for a column that may hold nothing: null is then the column's, not JSON's. */
export function toNullableJson(value: unknown) {
  return value === null ? Prisma.DbNull : toJson(value)
}

function toAppError(error: unknown, unique: readonly string[]): unknown {
  switch (codeOf(error)) {
    case 'P2002':
      return new AppError('conflict', `${takenColumn(error, unique)} is already taken`, {
        cause: error,
      })
    case 'P2003':
      return new AppError('conflict', 'other records refer to this record', { cause: error })
    case 'P1001':
    case 'P1002':
    case 'P1008':
    case 'P1017':
    case 'P2024':
    case 'P2028':
    case 'P2034':
    case 'P2037':
      return new AppError('unavailable', 'the store does not answer, try again', { cause: error })
    case 'P2039':
      if (!diskFaults.has(causeOf(error).originalCode ?? '')) return error
      return new AppError('unavailable', 'the store can not write, try again', { cause: error })
    default:
      return error
  }
}

/** A foreign key, or a record to link to, that is not there. */
function isMissing(error: unknown): boolean {
  return ['P2003', 'P2025'].includes(codeOf(error) ?? '')
}

/** The client's code, which it does not give to a commit that fails: that is thrown as the adapter names it. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code
  if (!isDriverAdapterError(error)) return undefined
  return codes[error.cause.kind] ?? 'P2039'
}

const codes: Partial<Record<DriverAdapterError['cause']['kind'], string>> = {
  DatabaseNotReachable: 'P1001',
  SocketTimeout: 'P1008',
  ConnectionClosed: 'P1017',
  TransactionWriteConflict: 'P2034',
}

/** Drivers tell the columns, or the index: `posts_slug_key`. */
function takenColumn(error: unknown, unique: readonly string[]): string {
  const { fields, index = '' } = causeOf(error).constraint ?? {}
  const isTaken = (column: string) => fields?.includes(column) || index.endsWith(`_${column}_key`)
  return unique.find(isTaken) ?? 'a unique value'
}

/** Codes for a disk that is read-only, fails, or is full. */
const diskFaults: ReadonlySet<string> = new Set(['8', '10', '13', '53100', '58030'])

interface Cause {
  originalCode?: string
  constraint?: { fields?: string[]; index?: string }
}

/** What the driver itself said. */
function causeOf(error: unknown): Cause {
  if (isDriverAdapterError(error)) return error.cause as Cause
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Cause } } }
  return meta?.driverAdapterError?.cause ?? {}
}
