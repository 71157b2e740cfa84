import { isDriverAdapterError } from '@prisma/driver-adapter-utils'
import { AppError } from '../domain/app-error.js'
import { Prisma } from '../generated/prisma/client.js'

/** Awaits a query. Throws AppError `conflict` if a constraint refuses a write, `unavailable` if the store does not answer. */
export async function run<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    throw toAppError(error)
  }
}

function toAppError(cause: unknown): unknown {
  const code = codeOf(cause)
  if (['P2002', 'P2003'].includes(code))
    return new AppError('conflict', 'a constraint refuses the record', { cause })
  if (outages.includes(code))
    return new AppError('unavailable', 'the store does not answer, try again', { cause })
  if (code !== 'P2039' || !diskFaults.includes(causeOf(cause).originalCode ?? '')) return cause
  return new AppError('unavailable', 'the store can not write, try again', { cause })
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
