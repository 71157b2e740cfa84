import type { Memo } from './memo.js'
import type { OrderLine } from './order-line.js'

export interface Order {
  id: number
  note: string
  customerId: number
  customer: { id: number; name: string }
  countryId: number
  country: { id: number; name: string }
  createdAt: Date
  updatedAt: Date
}

/** A record as `find` returns it, with its newest parts. The parts do not repeat the record. */
export interface OrderDetails extends Order {
  /** The newest order lines, sorted from oldest to newest. */
  orderLines: Omit<OrderLine, 'order'>[]
  /** The number of all order lines. */
  orderLinesTotal: number
  /** The newest memos, sorted from oldest to newest. */
  memos: Omit<Memo, 'order'>[]
  /** The number of all memos. */
  memosTotal: number
}

/** Fields that a caller gives to create a record. */
export type OrderDraft = Omit<
  Order,
  'id' | 'createdAt' | 'updatedAt' | 'customerId' | 'customer' | 'country'
>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type OrderChanges = Partial<OrderDraft>

/** Conditions of a list. Undefined matches every record. */
export interface OrderFilter {
  customerId?: number | undefined
  countryId?: number | undefined
  /** Only records that this user may see. */
  visibleTo?: number | undefined
}
