import type { Repositories } from '../../src/container.js'
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
