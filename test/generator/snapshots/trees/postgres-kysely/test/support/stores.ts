import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
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

/** Creates a schema in the database of `TEST_DATABASE_URL`. */
function postgres(databaseUrl: string): TestStore {
  return {
    name: 'postgres',
    async open() {
      const schema = `test_${randomUUID().replaceAll('-', '')}`
      const url = new URL(databaseUrl)
      url.searchParams.set('schema', schema)
      const store = await openStore(url.href)
      return {
        repositories: createRepositories(store),
        async close() {
          await sql`DROP SCHEMA ${sql.id(schema)} CASCADE`.execute(store.db)
          await store.close()
        },
      }
    },
  }
}

const databaseUrl = process.env.TEST_DATABASE_URL

export const testStores = databaseUrl ? [memory, postgres(databaseUrl)] : [memory]
