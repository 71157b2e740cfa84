import { AppError } from '../domain/app-error.js'
import type { Task, TaskChanges, TaskDraft, TaskFilter } from '../domain/task.js'
import type { Check, Page } from '../repositories/repository.js'
import type { TaskRepository } from '../repositories/task.repository.js'

interface Dependencies {
  repository: TaskRepository
  now: () => Date
}

export type TaskService = ReturnType<typeof createTaskService>

export function createTaskService({ repository, now }: Dependencies) {
  return {
    list: (query: Page & TaskFilter) => repository.list(query),

    async find(id: number): Promise<Task> {
      return (await repository.find(id)) ?? absent()
    },

    create(draft: TaskDraft): Promise<Task> {
      const createdAt = now()
      return repository.create({ ...draft, createdAt, updatedAt: createdAt })
    },

    async update(id: number, changes: TaskChanges, check?: Check<Task>): Promise<Task> {
      return (await repository.update(id, { ...changes, updatedAt: now() }, check)) ?? absent()
    },

    async remove(id: number, check?: Check<Task>): Promise<void> {
      if (!(await repository.remove(id, check))) absent()
    },
  }
}

function absent(): never {
  throw new AppError('not-found', 'task not found')
}
