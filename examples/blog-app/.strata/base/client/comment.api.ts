/** JSON types of /api/v1/comments. An update leaves absent fields unchanged. */
export interface CommentApi {
  create: {
    post_id: number
    content: string
  }
  update: Partial<CommentApi['create']>
  reply: {
    id: number
    post_id: number
    post: { id: number; title: string }
    author_id: number
    author: { id: number; name: string }
    content: string
    created_at: string
    updated_at: string
  }
  list: {
    comments: CommentApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    post_id?: number
    author_id?: number
  }
}
