import type { Store } from './infra/store.js'
import { createUserRepository } from './repositories/user.repository.prisma.js'
import { createUserService } from './use-cases/user.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    users: createUserRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    users: createUserService({ repository: repositories.users, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
