import type { Schema } from './collection.js'

/** The schema of the store. Opening the store updates it to this schema. */
export const schema: Schema = {
  tasks: {
    words: 'task',
    fields: {
      title: { name: 'title', type: 'string' },
      done: { name: 'done', type: 'bool', filter: true, default: false },
    },
  },
}
