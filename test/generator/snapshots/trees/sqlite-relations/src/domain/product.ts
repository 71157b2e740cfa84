import type { Label } from './label.js'
import type { OrderLine } from './order-line.js'
import type { ValueRange } from './value-range.js'

export interface Product {
  id: number
  name: string
  categoryId: number
  category: { id: number; name: string }
  /** An exact number. */
  price: string
  /** A date, as YYYY-MM-DD. */
  made: string
  soldOut: boolean
  note: string | null
  labels: Label[]
  createdAt: Date
  updatedAt: Date
}

/** A record as `find` returns it, with its newest parts. The parts do not repeat the record. */
export interface ProductDetails extends Product {
  /** The newest order lines, sorted from oldest to newest. */
  orderLines: Omit<OrderLine, 'product'>[]
  /** The number of all order lines. */
  orderLinesTotal: number
}

/** Fields that a caller gives to create a record. */
export type ProductDraft = Omit<
  Product,
  'id' | 'createdAt' | 'updatedAt' | 'category' | 'labels'
> & {
  /** Ids. */
  labels: readonly number[]
}

/** Fields that a caller may change. Absent fields stay unchanged. */
export type ProductChanges = Partial<ProductDraft>

/** Conditions of a list. Undefined matches every record. */
export interface ProductFilter {
  categoryId?: number | undefined
  soldOut?: boolean | undefined
  price?: ValueRange<string> | undefined
  made?: ValueRange<string> | undefined
  label?: number | undefined
  search?: string | undefined
}
