import type { ParcelApi } from './parcel.api.js'
import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/order-lines. An update leaves absent fields unchanged. */
export interface OrderLineApi {
  create: {
    order_id: number
    count: number
  }
  update: Partial<OrderLineApi['create']>
  reply: {
    id: number
    order_id: number
    order: { id: number; note: string }
    count: number
    created_at: string
    updated_at: string
  }
  /** The record with its parts, as `find` returns it. */
  details: OrderLineApi['reply'] & {
    parcels: Omit<ParcelApi['reply'], 'order_line'>[]
    parcels_total: number
  }
  list: {
    order_lines: OrderLineApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    order_id?: number
  } & Comparisons<'count', number>
}
