import type { ValueRange } from './value-range.js'

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

/** Conditions of a list. Undefined matches every record. */
export interface CategoryFilter {
  position?: ValueRange<number> | undefined
  opens?: ValueRange<string> | undefined
  price?: ValueRange<string> | undefined
}
