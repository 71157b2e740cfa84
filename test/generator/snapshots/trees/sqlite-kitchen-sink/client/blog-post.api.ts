import type { Comparisons } from './resource.js'

/** JSON types of /api/v1/blog-posts. An update leaves absent fields unchanged. */
export interface BlogPostApi {
  create: {
    title: string
    slug: string
    body: string
    summary?: string | null
    pinned?: boolean
    featured?: boolean | null
    reading_minutes: number
    score?: number
    rating?: number | null
    price?: string | number
    discount?: string | number | null
    status?: 'draft' | 'published' | 'archived'
    mood?: 'good' | 'bad' | null
  }
  update: Partial<BlogPostApi['create']>
  reply: {
    id: number
    title: string
    slug: string
    body: string
    summary: string | null
    pinned: boolean
    featured: boolean | null
    reading_minutes: number
    score: number
    rating: number | null
    price: string
    discount: string | null
    status: 'draft' | 'published' | 'archived'
    mood: 'good' | 'bad' | null
    created_at: string
    updated_at: string
  }
  list: {
    blog_posts: BlogPostApi['reply'][]
    total: number
    page: number
    page_size: number
    next_cursor: string | null
  }
  query: {
    pinned?: boolean
    featured?: boolean
    status?: 'draft' | 'published' | 'archived'
    mood?: 'good' | 'bad'
  } & Comparisons<'reading_minutes', number> &
    Comparisons<'score', number> &
    Comparisons<'rating', number> &
    Comparisons<'price', string> &
    Comparisons<'discount', string>
}
