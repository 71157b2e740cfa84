import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/order-lines. An update leaves absent fields unchanged. */
export interface OrderLineApi {
  create: {
    product_id: number
    count: number
    day?: string | null
  }
  update: Partial<OrderLineApi['create']>
  reply: {
    id: number
    product_id: number
    product: { id: number; name: string }
    count: number
    day: string | null
    created_at: string
    updated_at: string
  }
  list: {
    order_lines: OrderLineApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    product_id?: number
  } & Comparisons<'count', number> &
    Comparisons<'day', string>
}
