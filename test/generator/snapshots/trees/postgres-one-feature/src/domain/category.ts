export interface Category {
  id: number
  name: string
  position: number
  /** A date, as YYYY-MM-DD. */
  opens: string
  /** An exact number. */
  price: string | null
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type CategoryDraft = Omit<Category, 'id' | 'createdAt' | 'updatedAt'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type CategoryChanges = Partial<CategoryDraft>
