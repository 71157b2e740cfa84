import type { Schema } from './table.js'

/** The tables of `prisma/schema.prisma`, as the queries use them. */
export const schema: Schema = {
  categories: {
    words: 'category',
    columns: {
      name: { name: 'name', type: 'string', unique: true },
      position: { name: 'position', type: 'uint', filter: true },
      opens: { name: 'opens', type: 'date', filter: true },
      price: { name: 'price', type: 'decimal', scale: 4, optional: true, filter: true },
    },
  },
}
