/** JSON types of /api/v1/tags. An update leaves absent fields unchanged. */
export interface TagApi {
  create: {
    name: string
    slug: string
  }
  update: Partial<TagApi['create']>
  reply: {
    id: number
    name: string
    slug: string
    created_at: string
    updated_at: string
  }
  list: {
    tags: TagApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
}
