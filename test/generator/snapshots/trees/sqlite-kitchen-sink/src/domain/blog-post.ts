export const blogPostStatusValues = ['draft', 'published', 'archived'] as const

export const blogPostMoodValues = ['good', 'bad'] as const

export interface BlogPost {
  id: number
  title: string
  slug: string
  body: string
  summary: string | null
  pinned: boolean
  featured: boolean | null
  readingMinutes: number
  score: number
  rating: number | null
  /** An exact number. */
  price: string
  /** An exact number. */
  discount: string | null
  status: (typeof blogPostStatusValues)[number]
  mood: (typeof blogPostMoodValues)[number] | null
  createdAt: Date
  updatedAt: Date
}

/** What a caller gives to make one. */
export type BlogPostDraft = Omit<BlogPost, 'id' | 'createdAt' | 'updatedAt'>

/** What a caller may change; a field that is left out stays as it is. */
export type BlogPostChanges = Partial<BlogPostDraft>

/** What a list can be narrowed to. */
export interface BlogPostFilter {
  pinned?: boolean | undefined
  featured?: boolean | undefined
}
