export interface Task {
  id: number
  title: string
  done: boolean
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type TaskDraft = Omit<Task, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type TaskChanges = Partial<TaskDraft>

/** Conditions of a list. Undefined matches every record. */
export interface TaskFilter {
  done?: boolean | undefined
}
