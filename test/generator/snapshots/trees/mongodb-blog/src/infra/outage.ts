import { MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb'

/** Server codes: timeout, stopping, starting, not the primary, disk full. */
const serverErrors: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
])

/** Returns true if an error of the driver says that a retry can succeed: no server answers now. */
export function isOutage(error: unknown): error is MongoError {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  if (!(error instanceof MongoError)) return false
  // The driver does not export this error's class.
  return error.name === 'MongoWaitQueueTimeoutError' || serverErrors.has(error.code)
}
