import type { Store } from './infra/store.js'
import { createUserRepository } from './repositories/user.repository.prisma.js'
import { createUserService } from './use-cases/user.service.js'

/** The adapters: the only place that names them. */
export function createRepositories(store: Store) {
  return {
    users: createUserRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** The use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    users: createUserService({ repository: repositories.users, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
