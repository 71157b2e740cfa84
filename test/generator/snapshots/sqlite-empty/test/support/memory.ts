import type { Repositories } from '../../src/container.js'

export function createMemoryRepositories(): Repositories {
  return {}
}
