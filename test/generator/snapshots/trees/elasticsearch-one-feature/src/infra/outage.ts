import { errors } from '@elastic/elasticsearch'

/** Statuses of a server that is too slow or too busy, has no master or no shard, or is missing behind a proxy. */
const statuses: ReadonlySet<unknown> = new Set([408, 429, 502, 503, 504])

/** Returns true if an error of the client says that a retry can succeed: no server answers now. */
export function isOutage(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isOutageStatus(error.statusCode)
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoLivingConnectionsError
  )
}

/**
 * Returns true if the status of a response, or of one document in a bulk response, means an outage.
 */
export function isOutageStatus(status: unknown): boolean {
  return statuses.has(status)
}
