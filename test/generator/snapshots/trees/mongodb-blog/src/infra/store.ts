import { type DbOptions, MongoClient } from 'mongodb'
import { isOutage } from './outage.js'
import { setUp } from './set-up.js'
import { StoreError } from './wait-for-store.js'

const maxConnections = 20

/** For a server that can be asked, for a connection to it, and for a free one of the pool. */
const connectTimeoutMs = 5_000

/** For an answer of a server that keeps silent. */
const socketTimeoutMs = 12_000

/**
 * What is answered outlives the server, and who removes a record and who refers to it see what the other has
 * written: whatever the URL says.
 */
const guarantees: DbOptions = {
  writeConcern: { w: 'majority', journal: true },
  readPreference: 'primary',
}

export type Store = Awaited<ReturnType<typeof openStore>>

/**
 * Opens the database and brings its indexes up to date. `databaseName` stands for the one of the URL, where the
 * server has several. Throws StoreError.
 */
export async function openStore(databaseUrl: string, databaseName?: string) {
  const client = createClient(databaseUrl)
  const db = client.db(databaseName, guarantees)
  try {
    await Promise.race([client.connect(), silence(client)])
    await setUp(db)
  } catch (error) {
    await client.close()
    throw new StoreError(error, { isStarting: isOutage(error) })
  }
  return { db, close: () => client.close() }
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

/** Rejects once no server of the URL has answered; the driver asks again, and keeps that to itself. */
function silence(client: MongoClient): Promise<never> {
  return new Promise((_, reject) => {
    client.on('topologyDescriptionChanged', ({ newDescription: { servers } }) => {
      const errors = [...servers.values()].map(({ error }) => error)
      if (errors.length > 0 && !errors.includes(null)) reject(errors[0])
    })
  })
}
