export interface Category {
  id: number
  name: string
  parentId: number | null
  parent: { id: number; name: string } | null
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type CategoryDraft = Omit<Category, 'id' | 'createdAt' | 'updatedAt' | 'parent'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type CategoryChanges = Partial<CategoryDraft>

/** Conditions of a list. Undefined matches every record. */
export interface CategoryFilter {
  parentId?: number | undefined
}
