import { type DbOptions, MongoClient } from 'mongodb'
import { isOutage } from './outage.js'
import { setUp } from './set-up.js'
import { StoreError } from './wait-for-store.js'

const maxConnections = 20

/** The time to find a server, to open a connection, and to wait for a free one in the pool. */
const connectTimeoutMs = 5_000

/** The time to wait for data from the server. */
const socketTimeoutMs = 12_000

/**
 * Overrides the URL. An acknowledged write survives a crash. A removal and a concurrent write see each other's
 * changes, which the checks of references need.
 */
const guarantees: DbOptions = {
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
}

export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the database and updates it to the app's schema. `databaseName` overrides the database of the URL. Throws
 * StoreError.
 */
export async function openStore(databaseUrl: string, databaseName?: string) {
  const client = createClient(databaseUrl)
  const db = client.db(databaseName, guarantees)
  try {
    await Promise.race([client.connect(), rejectIfUnreachable(client)])
    await setUp(db)
  } catch (error) {
    await client.close()
    throw new StoreError(error, { isStarting: isOutage(error) })
  }
  return { db, ping: () => db.command({ ping: 1 }), close: () => client.close() }
}

function createClient(databaseUrl: string): MongoClient {
  return new MongoClient(databaseUrl, {
    maxPoolSize: maxConnections,
    serverSelectionTimeoutMS: connectTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
    waitQueueTimeoutMS: connectTimeoutMs,
    socketTimeoutMS: socketTimeoutMs,
  })
}

/** Rejects as soon as no server of the URL is reachable. The driver itself would retry silently. */
function rejectIfUnreachable(client: MongoClient): Promise<never> {
  return new Promise((_, reject) => {
    client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
      const errors = [...servers.values()].map(({ error }) => error)
      if (errors.length > 0 && !errors.includes(null)) reject(errors[0])
    })
  })
}
