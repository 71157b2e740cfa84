import { Client, type ClientOptions, HttpConnection } from '@elastic/elasticsearch'
import { isOutage } from './outage.js'
import { setUp } from './set-up.js'
import { StoreError } from './wait-for-store.js'

/** The time to wait for an answer. */
const requestTimeoutMs = 10_000

/** The time to wait for the shards of the app's indexes. */
const shardsTimeout = '5s'

export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the indexes and updates them to the app's schema. `givenPrefix` overrides the prefix of the URL. Throws
 * StoreError.
 */
export async function openStore(databaseUrl: string, givenPrefix?: string) {
  const { prefix, ...options } = toOptions(databaseUrl)
  const client = createClient(options)
  const names = `${givenPrefix ?? prefix}-`
  const awaitShards = (timeout: string) =>
    client.cluster.health({ index: `${names}*`, wait_for_status: 'yellow', timeout })
  const store = {
    client,
    indexOf: (name: string) => names + name,
    ping: () => awaitShards('1s'),
    close: () => client.close(),
  }
  try {
    await awaitShards(shardsTimeout)
    await setUp(store)
  } catch (error) {
    await store.close()
    throw new StoreError(error, { isStarting: isOutage(error) })
  }
  return store
}

function createClient(options: ClientOptions): Client {
  return new Client({
    ...options,
    maxRetries: 0,
    requestTimeout: requestTimeoutMs,
    // The default connection waits forever if the server closes the first connection at once, as a container's proxy does.
    Connection: HttpConnection,
  })
}

function toOptions(databaseUrl: string) {
  const { origin, username, password, pathname } = new URL(databaseUrl)
  const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { node: origin, prefix: pathname.slice(1), ...(username && { auth }) }
}
