import type { Schema } from './collection.js'

/** The schema of the store. Opening the store updates it to this schema. */
export const schema: Schema = {
  notes: {
    words: 'note',
    unique: [['text', 'price']],
    fields: {
      text: { name: 'text', type: 'string', search: true },
      code: { name: 'code', type: 'string', unique: true, sort: true },
      price: { name: 'price', type: 'decimal', scale: 2, range: true },
    },
  },
}
