import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { AppError } from '../domain/app-error.js'
import type { Connection } from './connection.js'
import { isConflict, isOutage } from './outage.js'
import { type RetryOptions, retryIf } from './retry.js'
import { createSemaphore } from './semaphore.js'

/** The time to open a connection. */
const connectTimeoutMs = 2_000

/** The time to wait for an answer, and the number of attempts. */
const requestTimeoutMs = 4_000
const maxAttempts = 3

/** The limit of concurrent requests: the size of the SDK's connection pool. */
const maxConnections = 50

/** The time to wait for a free connection. */
const queueTimeoutMs = 5_000

/**
 * Creates a client that retries requests that conflict with another transaction. Its requests throw AppError
 * `unavailable` if the store does not answer.
 */
export function createClient(
  { region, endpoint, credentials }: Omit<Connection, 'table'>,
  retryOptions?: RetryOptions,
): DynamoDBDocumentClient {
  // On Node 20 the SDK warns on stderr that later SDK versions need a later Node. package.json pins this version.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const client = new DynamoDBClient({
    ...(region && { region }),
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    maxAttempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  })
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await retryIf(isConflict, () => next(args), retryOptions)
      } catch (error) {
        if (!isOutage(error)) throw error
        throw new AppError('unavailable', 'the store does not answer, try again', { cause: error })
      }
    },
    { step: 'initialize', name: 'convertOutages' },
  )
  // Requests wait here and not in the SDK, which would count the waiting time as response time.
  const withPermit = createSemaphore({ permits: maxConnections, timeoutMs: queueTimeoutMs })
  client.middlewareStack.add((next) => (args) => withPermit(() => next(args)), {
    step: 'deserialize',
    priority: 'high',
    name: 'limitRequests',
  })
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
  })
}
