import type { Store } from './infra/store.js'
import { createTaskRepository } from './repositories/task.repository.document.js'
import { createTaskService } from './use-cases/task.service.js'

/** Creates the repositories. No other file names adapters. */
export function createRepositories(store: Store) {
  return {
    tasks: createTaskRepository(store),
  }
}

export type Repositories = ReturnType<typeof createRepositories>

/** Creates the use-cases. `now` is the clock. */
export function createContainer(repositories: Repositories, now = () => new Date()) {
  return {
    tasks: createTaskService({ repository: repositories.tasks, now }),
  }
}

export type Container = ReturnType<typeof createContainer>
