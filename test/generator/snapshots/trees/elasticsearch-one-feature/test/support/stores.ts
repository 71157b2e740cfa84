import { randomUUID } from 'node:crypto'
import { createRepositories, type Repositories } from '../../src/container.js'
import { openStore, type Store } from '../../src/infra/store.js'
import { createMemoryRepositories } from './memory.js'

export interface TestStore {
  name: string
  /** Opens an empty store. */
  open: () => Promise<{ repositories: Repositories; close: () => Promise<void> }>
}

export const memory: TestStore = {
  name: 'memory',
  open: async () => ({ repositories: createMemoryRepositories(), close: async () => {} }),
}

/** Creates indexes on the server of `TEST_DATABASE_URL`. */
function elasticsearch(databaseUrl: string): TestStore {
  return {
    name: 'elasticsearch',
    async open() {
      const store = await openStore(databaseUrl, `test_${randomUUID().replaceAll('-', '')}`)
      return {
        repositories: createRepositories(store),
        async close() {
          await removeIndexes(store)
          await store.close()
        },
      }
    },
  }
}

/** Deletes indexes by name: servers refuse to delete by a pattern. */
async function removeIndexes({ client, indexOf }: Store): Promise<void> {
  const indexes = await client.indices.getAlias({ index: indexOf('*') })
  await client.indices.delete({ index: Object.keys(indexes) })
}

const databaseUrl = process.env.TEST_DATABASE_URL

export const testStores = databaseUrl ? [memory, elasticsearch(databaseUrl)] : [memory]
