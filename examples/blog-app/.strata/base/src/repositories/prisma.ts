import { isDriverAdapterError } from '@prisma/driver-adapter-utils'
import { AppError } from '../domain/app-error.js'
import { foldText } from '../domain/fold-text.js'
import { Prisma } from '../generated/prisma/client.js'
import type { Listing, Page, Position, Sort } from './repository.js'

/** Sorts newest first, and by id if two records have the same time. */
const newestFirst = [{ createdAt: 'desc' as const }, { id: 'desc' as const }]

/** Prisma's `skip` is a 32-bit number. Pages beyond this limit are empty, too. */
const lastPage = Math.floor(2 ** 31 / 100)

/** Returns one page of a list. After a position, `rows` has one row more than the page if records follow. */
export function listingOf<Row>(
  { page, pageSize, after }: Page,
  rows: Row[],
  total: number,
): Listing<Row> {
  if (!after) return { rows, total, hasMore: page * pageSize < total }
  return { rows: rows.slice(0, pageSize), total, hasMore: rows.length > pageSize }
}

/** Returns Prisma's arguments for one page of the rows that meet `where`. */
export function pageOf<Where extends object>({ page, pageSize, sort, after }: Page, where: Where) {
  const skip = (Math.min(page, lastPage) - 1) * pageSize
  const orderBy = sort ? inOrder(sort) : newestFirst
  if (!sort || !after) return { where, orderBy, skip, take: pageSize }
  const rest = { AND: [where, following(sort, after)] }
  return { where: rest, orderBy, skip, take: pageSize + 1 }
}

function inOrder(sort: Sort) {
  const hasId = sort.some(({ field }) => field === 'id')
  const fields = hasId ? sort : [...sort, { field: 'id', descending: sort[0].descending }]
  return fields.map(({ field, descending }): { id?: 'asc' | 'desc' } => {
    const order = descending ? 'desc' : 'asc'
    return { [field]: order }
  })
}

/** Returns the condition of the rows after a position. Its type fits every table, because every table has an id. */
function following(sort: Sort, { values, id }: Position) {
  const nextIds: object = { id: sort[0].descending ? { lt: id } : { gt: id } }
  return sort.reduceRight((rest, { field, descending }, i) => {
    const beyond = descending ? { lt: values[i] } : { gt: values[i] }
    return { OR: [{ [field]: beyond }, { AND: [{ [field]: values[i] }, rest] }] }
  }, nextIds) as { id?: number }
}

/**
 * Awaits a query. Throws AppError `conflict` if a value in a `unique` column is taken or other records refer to the
 * record, and `unavailable` if the store does not answer. If a referenced record is missing, throws the error of
 * `assertReferences` instead.
 */
export async function run<T>(
  query: PromiseLike<T>,
  unique: readonly string[] = [],
  assertReferences?: () => Promise<void>,
): Promise<T> {
  try {
    return await query
  } catch (error) {
    if (['P2003', 'P2025'].includes(codeOf(error))) await assertReferences?.()
    throw toAppError(error, unique)
  }
}

function toAppError(cause: unknown, unique: readonly string[]): unknown {
  const code = codeOf(cause)
  if (code === 'P2002')
    return new AppError('conflict', `${takenColumn(cause, unique)} is already taken`, { cause })
  if (code === 'P2003')
    return new AppError('conflict', 'other records refer to this record', { cause })
  if (outages.includes(code))
    return new AppError('unavailable', 'the store does not answer, try again', { cause })
  if (code !== 'P2039' || !diskFaults.includes(causeOf(cause).originalCode ?? '')) return cause
  return new AppError('unavailable', 'the store can not write, try again', { cause })
}

/** Returns the columns of a unique violation. Drivers report the columns or the index, as `posts_slug_key`. */
function takenColumn(error: unknown, unique: readonly string[]): string {
  const { fields, index = '' } = causeOf(error).constraint ?? {}
  const reported = fields?.join(' + ')
  const isTaken = (columns: string) =>
    reported === columns || index.endsWith(`_${columns.replaceAll(' + ', '_')}_key`)
  return unique.find(isTaken) ?? 'a unique value'
}

/** Awaits a query like `run`. Returns undefined if the record does not exist. */
export async function runOnExisting<T>(
  ...query: Parameters<typeof run<T>>
): Promise<T | undefined> {
  try {
    return await run(...query)
  } catch (error) {
    if (codeOf(error) === 'P2025') return undefined
    throw error
  }
}

/** Throws AppError `not-found` if no record has the id. `words` names the record in the message. */
export async function assertFound(
  words: string,
  id: number | null | undefined,
  count: (where: { id: number }) => PromiseLike<number>,
): Promise<void> {
  if (typeof id !== 'number' || (await run(count({ id }))) > 0) return
  throw new AppError('not-found', `${words} not found`)
}

/** Throws AppError `invalid`, with the keys in its details, if no record has one of the keys. */
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

/** Returns the value of a text's search column: the folded text, '' for NULL. Undefined stays undefined. */
export function toSearch<T extends string | null | undefined>(text: T) {
  return (text === undefined ? undefined : foldText(text ?? '')) as T extends undefined
    ? undefined
    : string
}

/** Returns the condition of a search column. Undefined, without a search text, matches every record. */
export function containing(search: string | undefined) {
  return search === undefined ? undefined : { contains: foldText(search) }
}

/** Prisma's codes for a store that does not answer, and for a write that lost against another write. */
const outages = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']

/** Error codes of SQLite and PostgreSQL for a disk that is read-only, broken or full. */
const diskFaults = ['8', '10', '13', '53100', '58030']

/** Returns Prisma's error code, or ''. A failed commit throws the error of the adapter, which has no code. */
function codeOf(error: unknown): string {
  if (error instanceof Prisma.PrismaClientKnownRequestError) return error.code
  return isDriverAdapterError(error) ? (codes[error.cause.kind] ?? 'P2039') : ''
}

const codes: Record<string, string> = {
  DatabaseNotReachable: 'P1001',
  SocketTimeout: 'P1008',
  ConnectionClosed: 'P1017',
  TransactionWriteConflict: 'P2034',
}

interface Cause {
  originalCode?: string
  constraint?: { fields?: string[]; index?: string }
}

/** Returns the error of the driver itself. */
function causeOf(error: unknown): Cause {
  if (isDriverAdapterError(error)) return error.cause as Cause
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Cause } } }
  return meta?.driverAdapterError?.cause ?? {}
}
