import type { Schema } from './table.js'

/** The tables of `prisma/schema.prisma`, as the queries use them. */
export const schema: Schema = {
  categories: {
    columns: {
      name: { name: 'name', unique: true },
      position: { name: 'position', filter: true },
      opens: { name: 'opens', type: 'date', filter: true },
      price: { name: 'price', type: 'decimal', scale: 4, optional: true, filter: true },
    },
  },
}
