import type { Inspection } from './messages.ts'
import {
  batchSize,
  connectTimeoutMs,
  loadDriver,
  namesIn,
  type OpenedStore,
  waitingFields,
} from './opened-store.ts'

interface Driver {
  MongoClient: new (url: string, options: object) => Client
}

interface Client {
  connect(): Promise<unknown>
  db(): { collection(name: string): Records }
}

interface Records {
  findOne(filter: object): Promise<Record<string, unknown> | null>
  countDocuments(filter: object): Promise<number>
  find(filter: object, options: object): AsyncIterable<Record<string, unknown>>
}

/** Opens the collections of a database. */
export async function openMongodb(inspection: Inspection): Promise<OpenedStore> {
  const { MongoClient } = loadDriver<Driver>(inspection, 'mongodb')
  const client = new MongoClient(inspection.databaseUrl, {
    serverSelectionTimeoutMS: connectTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
    socketTimeoutMS: inspection.limitMs,
  })
  await client.connect()
  const db = client.db()
  return {
    waiting: () =>
      waitingFields(inspection, async (name) =>
        namesIn(await db.collection('_schema').findOne({ _id: name })),
      ),
    count: (name) => db.collection(name).countDocuments({}),
    async *scan(name, columns) {
      const projection = Object.fromEntries(columns.map((each) => [each, 1]))
      const options = { projection: { _id: 1, ...projection }, sort: { _id: 1 }, batchSize }
      let batch: Record<string, unknown>[] = []
      for await (const record of db.collection(name).find({}, options)) {
        batch.push({ ...record, id: record._id })
        if (batch.length < batchSize) continue
        yield batch
        batch = []
      }
      yield batch
    },
  }
}
