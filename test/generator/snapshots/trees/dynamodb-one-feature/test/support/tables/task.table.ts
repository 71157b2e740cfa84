import type { Task, TaskDraft, TaskFilter } from '../../../src/domain/task.js'
import type { TableOf } from '../memory-tables.js'

/** Describes tasks for the in-memory store. */
export const taskTable: TableOf<Task, TaskDraft, TaskFilter> = {
  name: 'tasks',
  filters: ['done'],
}
