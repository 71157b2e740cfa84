import type { Parcel } from './parcel.js'
import type { ValueRange } from './value-range.js'

export interface OrderLine {
  id: number
  orderId: number
  order: { id: number; note: string }
  count: number
  createdAt: Date
  updatedAt: Date
}

/** A record as `find` returns it, with its newest parts. The parts do not repeat the record. */
export interface OrderLineDetails extends OrderLine {
  /** The newest parcels, sorted from oldest to newest. */
  parcels: Omit<Parcel, 'orderLine'>[]
  /** The number of all parcels. */
  parcelsTotal: number
}

/** Fields that a caller gives to create a record. */
export type OrderLineDraft = Omit<OrderLine, 'id' | 'createdAt' | 'updatedAt' | 'order'>

/** Fields that a caller may change. Absent fields stay unchanged. */
export type OrderLineChanges = Partial<OrderLineDraft>

/** Conditions of a list. Undefined matches every record. */
export interface OrderLineFilter {
  orderId?: number | undefined
  count?: ValueRange<number> | undefined
  /** Only records that this user may see. */
  visibleTo?: number | undefined
}
