import * as z from 'zod'
import type { Task } from '../domain/task.js'
import { docOf } from '../http/crud-doc.js'
import { text } from '../http/fields.js'
import { flag } from '../http/filters.js'
import { listOf, pageFields } from '../http/paging.js'

const fields = {
  title: text({ min: 1, max: 255 }),
  done: z.boolean(),
}

/** Keys that the app ignores in bodies, so that clients can send back a record as they read it. */
export const readOnly = ['id', 'created_at', 'updated_at']

export const createTaskBody = z.strictObject({ ...fields, done: fields.done.default(false) })

/** Has no defaults: absent fields stay unchanged. */
export const updateTaskBody = z.strictObject(fields).partial()

export const taskReply = z.strictObject({
  id: z.int().positive(),
  ...fields,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const taskListReply = z.strictObject({
  tasks: z.array(taskReply),
  ...pageFields,
})

export const taskList = listOf('tasks', {
  done: flag(),
})

export function toWire(task: Task): z.input<typeof taskReply> {
  return {
    id: task.id,
    title: task.title,
    done: task.done,
    created_at: task.createdAt.toISOString(),
    updated_at: task.updatedAt.toISOString(),
  }
}

export const taskDoc = docOf({
  path: '/api/v1/tasks',
  one: 'task',
  many: 'tasks',
  schema: 'Task',
  create: createTaskBody,
  update: updateTaskBody,
  reply: taskReply,
  list: taskListReply,
  parameters: taskList.parameters,
  readOnly,
  statuses: { create: [], update: [], remove: [] },
})
