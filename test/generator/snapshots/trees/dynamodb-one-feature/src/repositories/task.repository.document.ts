import type { Store } from '../infra/store.js'
import { createRepository } from './document-repository.js'
import type { TaskRepository } from './task.repository.js'

export function createTaskRepository(store: Store): TaskRepository {
  return createRepository(store, 'tasks')
}
