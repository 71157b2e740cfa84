import type { Category } from '../../../src/domain/category.js'
import type { TableOf } from '../memory-tables.js'

/** Describes categories for the in-memory store. */
export const categoryTable: TableOf<Category> = {
  name: 'categories',
  unique: ['name'],
}
