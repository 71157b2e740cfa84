import { MongoError, MongoNetworkError, MongoServerSelectionError } from 'mongodb'

/** What the server says: too slow, stopping, starting, no longer or not yet the primary, without room on its disk. */
const serverErrors: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
])

/** Whether an error of the driver says that no server answers now; one may soon. */
export function isOutage(error: unknown): error is MongoError {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true
  if (!(error instanceof MongoError)) return false
  // The driver keeps the class to itself.
  return error.name === 'MongoWaitQueueTimeoutError' || serverErrors.has(error.code)
}
