export interface Category {
  id: number
  name: string
  parentId: number | null
  parent: { id: number; name: string } | null
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type CategoryDraft = Omit<Category, 'id' | 'createdAt' | 'updatedAt' | 'parent'>

/** What a caller may change; a field that is left out stays as it is. */
export type CategoryChanges = Partial<CategoryDraft>

/** What a list can be narrowed to. */
export interface CategoryFilter {
  parentId?: number | undefined
}
