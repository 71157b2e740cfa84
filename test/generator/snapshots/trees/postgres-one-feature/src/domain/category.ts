export interface Category {
  id: number
  name: string
  position: number
  /** A day, as YYYY-MM-DD. */
  opens: string
  /** An exact number. */
  price: string | null
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type CategoryDraft = Omit<Category, 'id' | 'createdAt' | 'updatedAt'>

/** What a caller may change; a field that is left out stays as it is. */
export type CategoryChanges = Partial<CategoryDraft>
