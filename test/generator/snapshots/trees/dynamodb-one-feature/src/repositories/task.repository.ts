import type { Task, TaskDraft, TaskFilter } from '../domain/task.js'
import type { Repository } from './repository.js'

export type TaskRepository = Repository<Task, TaskDraft, TaskFilter>
