/** JSON types of /api/v1/categories. An update leaves absent fields unchanged. */
export interface CategoryApi {
  create: {
    name: string
    parent_id?: number | null
  }
  update: Partial<CategoryApi['create']>
  reply: {
    id: number
    name: string
    parent_id: number | null
    parent: { id: number; name: string } | null
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
  query: {
    parent_id?: number
  }
}
