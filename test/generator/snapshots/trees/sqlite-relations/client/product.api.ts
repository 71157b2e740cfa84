import type { LabelApi } from './label.api.js'
import type { OrderLineApi } from './order-line.api.js'
import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/products. An update leaves absent fields unchanged. */
export interface ProductApi {
  create: {
    name: string
    category_id: number
    price: string | number
    made: string
    sold_out?: boolean
    note?: string | null
    labels?: (number | { id: number })[]
  }
  update: Partial<ProductApi['create']>
  reply: {
    id: number
    name: string
    category_id: number
    category: { id: number; name: string }
    price: string
    made: string
    sold_out: boolean
    note: string | null
    labels: LabelApi['reply'][]
    created_at: string
    updated_at: string
  }
  /** The record with its parts, as `find` returns it. */
  details: ProductApi['reply'] & {
    order_lines: Omit<OrderLineApi['reply'], 'product'>[]
    order_lines_total: number
  }
  list: {
    products: ProductApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    category_id?: number
    sold_out?: boolean
    label?: number
    search?: string
  } & Comparisons<'price', string> &
    Comparisons<'made', string>
}
