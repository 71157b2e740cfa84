import type { Category, CategoryDraft, CategoryFilter } from '../../../src/domain/category.js'
import type { TableOf } from '../memory-tables.js'

/** Describes categories for the in-memory store. */
export const categoryTable: TableOf<Category, CategoryDraft, CategoryFilter> = {
  name: 'categories',
  references: [
    {
      key: 'parentId',
      as: 'parent',
      label: 'name',
      table: 'categories',
      words: 'category',
      cascade: false,
    },
  ],
  filters: ['parentId'],
  sorts: ['parentId'],
  nullable: ['parentId'],
}
