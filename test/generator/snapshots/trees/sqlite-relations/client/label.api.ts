/** JSON types of /api/v1/labels. An update leaves absent fields unchanged. */
export interface LabelApi {
  create: {
    name: string
    hue?: 'red' | 'blue'
  }
  update: Partial<LabelApi['create']>
  reply: {
    id: number
    name: string
    hue: 'red' | 'blue'
    created_at: string
    updated_at: string
  }
  list: {
    labels: LabelApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    hue?: 'red' | 'blue'
  }
}
