import type { Category, CategoryDraft, CategoryFilter } from '../../../src/domain/category.js'
import type { TableOf } from '../memory-tables.js'

/** Describes categories for the in-memory store. */
export const categoryTable: TableOf<Category, CategoryDraft, CategoryFilter> = {
  name: 'categories',
  unique: ['name'],
  ranges: ['position', 'opens', 'price'],
  sorts: ['name'],
  decimals: ['price'],
}
