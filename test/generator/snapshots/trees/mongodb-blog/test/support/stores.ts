import { randomUUID } from 'node:crypto'
import { createRepositories, type Repositories } from '../../src/container.js'
import { openStore } from '../../src/infra/store.js'
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

/** Creates a database on the server of `TEST_DATABASE_URL`. */
function mongodb(databaseUrl: string): TestStore {
  return {
    name: 'mongodb',
    async open() {
      const store = await openStore(databaseUrl, `test_${randomUUID().replaceAll('-', '')}`)
      return {
        repositories: createRepositories(store),
        async close() {
          await store.db.dropDatabase()
          await store.close()
        },
      }
    },
  }
}

const databaseUrl = process.env.TEST_DATABASE_URL

export const testStores = databaseUrl ? [memory, mongodb(databaseUrl)] : [memory]
