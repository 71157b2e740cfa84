import type { ValueRange } from './value-range.js'

export interface OrderLine {
  id: number
  productId: number
  product: { id: number; name: string }
  count: number
  /** A date, as YYYY-MM-DD. */
  day: string | null
  createdAt: Date
  updatedAt: Date
}

/** Fields that a caller gives to create a record. */
export type OrderLineDraft = Omit<OrderLine, 'id' | 'createdAt' | 'updatedAt' | 'product'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type OrderLineChanges = Partial<OrderLineDraft>

/** Conditions of a list. Undefined matches every record. */
export interface OrderLineFilter {
  productId?: number | undefined
  count?: ValueRange<number> | undefined
  day?: ValueRange<string> | undefined
}
