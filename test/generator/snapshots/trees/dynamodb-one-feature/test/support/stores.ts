import { randomUUID } from 'node:crypto'
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb'
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

/** Creates a table on the server of `TEST_DATABASE_URL`. */
function dynamodb(databaseUrl: string): TestStore {
  return {
    name: 'dynamodb',
    async open() {
      const TableName = `test_${randomUUID()}`
      const store = await openStore(databaseUrl, TableName)
      return {
        repositories: createRepositories(store),
        async close() {
          await store.client.send(new DeleteTableCommand({ TableName }))
          store.close()
        },
      }
    },
  }
}

const databaseUrl = process.env.TEST_DATABASE_URL

export const testStores = databaseUrl ? [memory, dynamodb(databaseUrl)] : [memory]
