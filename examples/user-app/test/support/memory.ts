import type { Repositories } from '../../src/container.js'
import type { User } from '../../src/domain/user.js'
import { createMemoryRepository } from './memory-repository.js'

export function createMemoryRepositories(): Repositories {
  return {
    users: createMemoryRepository<User>([]),
  }
}
