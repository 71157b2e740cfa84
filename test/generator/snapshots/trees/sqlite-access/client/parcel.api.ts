/** JSON types of /api/v1/parcels. An update leaves absent fields unchanged. */
export interface ParcelApi {
  create: {
    order_line_id: number
    code: string
  }
  update: Partial<ParcelApi['create']>
  reply: {
    id: number
    order_line_id: number
    order_line: { id: number }
    code: string
    created_at: string
    updated_at: string
  }
  list: {
    parcels: ParcelApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    order_line_id?: number
  }
}
