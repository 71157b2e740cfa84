import type { MemoApi } from './memo.api.js'
import type { OrderLineApi } from './order-line.api.js'

/** JSON types of /api/v1/orders. An update leaves absent fields unchanged. */
export interface OrderApi {
  create: {
    note: string
    country_id: number
  }
  update: Partial<OrderApi['create']>
  reply: {
    id: number
    note: string
    customer_id: number
    customer: { id: number; name: string }
    country_id: number
    country: { id: number; name: string }
    created_at: string
    updated_at: string
  }
  /** The record with its parts, as `find` returns it. */
  details: OrderApi['reply'] & {
    order_lines: Omit<OrderLineApi['reply'], 'order'>[]
    order_lines_total: number
    memos: Omit<MemoApi['reply'], 'order'>[]
    memos_total: number
  }
  list: {
    orders: OrderApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    customer_id?: number
    country_id?: number
  }
}
