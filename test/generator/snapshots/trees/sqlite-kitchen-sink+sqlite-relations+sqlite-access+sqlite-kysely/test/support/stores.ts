import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const sqlite: TestStore = {
  name: 'sqlite',
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'shop-'))
    const store = await openStore(`file:${join(folder, 'test.db')}`)
    return {
      repositories: createRepositories(store),
      async close() {
        await store.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}

export const testStores = [memory, sqlite]
