export interface OrderLine {
  id: number
  productId: number
  product: { id: number; name: string }
  count: number
  /** A day, as YYYY-MM-DD. */
  day: string | null
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type OrderLineDraft = Omit<OrderLine, 'id' | 'createdAt' | 'updatedAt' | 'product'>

/** What a caller may change; a field that is left out stays as it is. */
export type OrderLineChanges = Partial<OrderLineDraft>

/** What a list can be narrowed to. */
export interface OrderLineFilter {
  productId?: number | undefined
}
