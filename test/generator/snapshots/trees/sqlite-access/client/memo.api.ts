/** JSON types of /api/v1/memos. An update leaves absent fields unchanged. */
export interface MemoApi {
  create: {
    order_id: number
    text: string
  }
  update: Partial<MemoApi['create']>
  reply: {
    id: number
    order_id: number
    order: { id: number; note: string }
    author_id: number
    author: { id: number; name: string }
    text: string
    created_at: string
    updated_at: string
  }
  list: {
    memos: MemoApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    order_id?: number
    author_id?: number
  }
}
