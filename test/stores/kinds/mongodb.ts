import { MongoClient } from 'mongodb'
import { servers } from '../servers/servers.ts'
import type { Skipped } from '../servers/test-server.ts'
import type { Kind } from './kind.ts'
import { serverKind } from './server-kind.ts'

/** Starts MongoDB, or its substitute. */
export async function startMongodb(): Promise<Kind | Skipped> {
  const server = await servers.mongodb()
  if ('skipped' in server) return server
  const { url } = server
  return {
    ...serverKind(server, {
      // The first record creates the database.
      create: async () => {},
      remove: (name) =>
        withClient(url, async (client) => {
          await client.db(name).dropDatabase()
        }),
    }),
    contents: () =>
      withClient(url, async (client) => {
        const { databases } = await client.db().admin().listDatabases()
        return databases.map(({ name }) => name).sort()
      }),
    dropTable: { skipped: 'MongoDB treats a missing collection as an empty one' },
  }
}

async function withClient<Result>(
  url: string,
  use: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(url)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.close()
  }
}
