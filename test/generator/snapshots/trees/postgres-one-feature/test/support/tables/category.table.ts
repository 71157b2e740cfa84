import type { Category } from '../../../src/domain/category.js'
import type { TableOf } from '../memory-tables.js'

/** How categories are kept in memory. */
export const categoryTable: TableOf<Category> = {
  name: 'categories',
  unique: ['name'],
}
