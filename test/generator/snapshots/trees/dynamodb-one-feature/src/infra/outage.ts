/** Error names of the SDK for a timeout, and of the service for an outage or too many requests. */
const names: ReadonlySet<string> = new Set([
  'TimeoutError',
  'InternalServerError',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ServiceUnavailable',
  'ThrottlingException',
  // The SDK repeated a transaction that is still in progress.
  'TransactionInProgressException',
])

/** Node's codes of network errors. */
const codes: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Returns true if an error of the SDK says that a retry can succeed: the store does not answer now. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (names.has(error.name) || isConflict(error)) return true
  if ('code' in error && codes.has(error.code)) return true
  return statusOf(error) >= 500
}

/** Returns true if a concurrent transaction wrote the same item, or if the service has throttled the request. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TransactionConflictException') return true
  const codes = reasonsOf(error).filter((code) => code !== 'None')
  return codes.length > 0 && codes.every((code) => temporaryReasons.has(code))
}

/** Returns the reasons of a cancelled transaction: a code for each action, `None` if the action was valid. */
export function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error && 'CancellationReasons' in error)) return []
  const reasons = error.CancellationReasons as readonly { Code?: string }[] | undefined
  return (reasons ?? []).map(({ Code = 'None' }) => Code)
}

const temporaryReasons: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
])

function statusOf(error: Error): number {
  if (!('$metadata' in error)) return 0
  const { httpStatusCode = 0 } = error.$metadata as { httpStatusCode?: number }
  return httpStatusCode
}
