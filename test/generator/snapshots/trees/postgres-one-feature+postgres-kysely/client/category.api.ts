import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/categories. An update leaves absent fields unchanged. */
export interface CategoryApi {
  create: {
    name: string
    position?: number
    opens: string
    price?: string | number | null
  }
  update: Partial<CategoryApi['create']>
  reply: {
    id: number
    name: string
    position: number
    opens: string
    price: string | null
    created_at: string
    updated_at: string
  }
  list: {
    categories: CategoryApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {} & Comparisons<'position', number> &
    Comparisons<'opens', string> &
    Comparisons<'price', string>
}
