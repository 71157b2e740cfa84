import type { Label } from './label.js'
import type { OrderLine } from './order-line.js'

export interface Product {
  id: number
  name: string
  categoryId: number
  category: { id: number; name: string }
  /** An exact number. */
  price: string
  /** A day, as YYYY-MM-DD. */
  made: string
  soldOut: boolean
  note: string | null
  labels: Label[]
  createdAt: Date
  updatedAt: Date
}

/** One that is read alone: with its parts, the oldest first. */
export interface ProductDetails extends Product {
  orderLines: OrderLine[]
}

/** What a caller gives to make one. */
export type ProductDraft = Omit<
  Product,
  'id' | 'createdAt' | 'updatedAt' | 'category' | 'labels'
> & {
  /** Ids. */
  labels: readonly number[]
}

/** What a caller may change; a field that is left out stays as it is. */
export type ProductChanges = Partial<ProductDraft>

/** What a list can be narrowed to. */
export interface ProductFilter {
  categoryId?: number | undefined
  soldOut?: boolean | undefined
  label?: number | undefined
  search?: string | undefined
}
